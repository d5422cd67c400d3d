"""Value types ↔ messages, both ways; encoders own one preallocated message, decoders refuse and count what does not fit."""
