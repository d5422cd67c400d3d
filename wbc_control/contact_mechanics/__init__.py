"""Contact mechanics: friction cones, complementarity solvers, time stepping, closure, soft contact, balance margins.

One algorithm a file; import from the modules, e.g. ``from wbc_control.contact_mechanics.zmp import zmp_of_contacts``.
Frames: a contact or sole frame has z along the normal, into the robot; wrenches are force first.  A quantity that does
not exist (the ZMP in flight) is ``None``.  The map of the modules is in ``docs/contact_mechanics.md``.
"""
