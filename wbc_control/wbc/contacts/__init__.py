"""The kinds of contact, one a file."""
from wbc_control.model import Foot
from wbc_control.parameters.controller import ContactConstraintParameters
from wbc_control.wbc.contacts.contact import AIR, FULL, RAMP, Contact, Modes, contact_modes
from wbc_control.wbc.contacts.point_contact import PointContact
from wbc_control.wbc.contacts.sole_contact import SoleContact

__all__ = ["AIR", "FULL", "RAMP", "Contact", "Modes", "PointContact", "SoleContact", "contact_for", "contact_modes"]


def contact_for(index: int, foot: Foot, parameters: ContactConstraintParameters) -> Contact:
    """The contact that fits the foot's sole: a point or a patch."""
    kind = PointContact if foot.is_point else SoleContact
    return kind(index, foot, parameters)
