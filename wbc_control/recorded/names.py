"""Names that recordings use: message types, topics of a simulator's truth, the mark of our own files."""

from __future__ import annotations

JOINT_STATE, IMU = "sensor_msgs/msg/JointState", "sensor_msgs/msg/Imu"
WRENCH, TWIST = "geometry_msgs/msg/WrenchStamped", "geometry_msgs/msg/Twist"
POINT, ODOMETRY = "geometry_msgs/msg/PointStamped", "nav_msgs/msg/Odometry"
MULTI_DOF, NUMBERS = "sensor_msgs/msg/MultiDOFJointState", "std_msgs/msg/Float64MultiArray"
STRING, EVENT = "std_msgs/msg/String", "foxglove.Log"
TWIST_STAMPED, DIAGNOSTICS = "geometry_msgs/msg/TwistStamped", "diagnostic_msgs/msg/DiagnosticArray"

TRUTH = "simulation/ground_truth"
"""What only a simulator knows lies below."""
EVENTS, DESCRIPTION = "simulation/events", "robot_description"
FORMAT = "wbc_control"
"""Name of the metadata record that says which run a file of ours holds."""
