"""x"""
class RestCheck:
    finished=True; refusal=""
    def __init__(s,m): pass
    def reset(s): pass
    def update(s,*a): pass
