"""The ROS side: topics, conversions, parameters and the loop; the nodes that use them are in ``wbc_control.nodes``."""
