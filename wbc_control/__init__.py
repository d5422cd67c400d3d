"""A real-time whole-body control stack for legged robots, over ROS 2."""
