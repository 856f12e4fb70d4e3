"""How the reference refuses a request: an exception with the error's type and every text that the rules allow."""

PARAMETER_PREFIX = "One or more parameter values were invalid: "


class Refused(Exception):
    """More than one text: several faults are there and no rule says which of them is reported."""

    def __init__(self, *texts, kind="ValidationException", item=None):
        super().__init__(texts[0])
        self.texts = set(texts)
        self.kind = kind
        self.item = item


def invalid_parameter(text):
    return Refused(PARAMETER_PREFIX + text)
