"""Contact mechanics: cones, complementarity solvers, closure, margins."""
