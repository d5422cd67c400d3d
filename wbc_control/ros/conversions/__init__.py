"""Value types ↔ messages, both ways; encoders own a preallocated message, decoders refuse and count."""
