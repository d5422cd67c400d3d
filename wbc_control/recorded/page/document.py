"""The page: a summary on top, then a section a question, each plain HTML with inline SVG."""

from __future__ import annotations

import html
from collections.abc import Callable
from pathlib import Path

from wbc_control.errors import BackendError
from wbc_control.recorded.page.balance import balance_section
from wbc_control.recorded.page.base import base_section
from wbc_control.recorded.page.controller import controller_section, events_section
from wbc_control.recorded.page.estimate import estimate_section
from wbc_control.recorded.page.feet import feet_section
from wbc_control.recorded.page.joints import joints_section
from wbc_control.recorded.page.run import Run
from wbc_control.recorded.page.summary import summary_rows
from wbc_control.recorded.recording import Recording

SECTIONS: dict[str, tuple[str, Callable[[Run], list[str]]]] = {
    "base": ("Base", base_section),
    "balance": ("Balance", balance_section),
    "feet": ("Feet", feet_section),
    "joints": ("Joints", joints_section),
    "controller": ("Controller", controller_section),
    "estimate": ("Estimate against truth", estimate_section),
    "events": ("Events", events_section),
}
"""Anchor → heading and what is below it."""

_STYLE = """
:root{color-scheme:light dark;--ink:#1b1f24;--paper:#fff;--soft:#d9dee4;--card:#f5f7f9}
@media(prefers-color-scheme:dark){:root{--ink:#e6e8ea;--paper:#15181c;--soft:#39414a;--card:#1d2228}}
body{font:14px/1.45 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:980px;margin:1.5em auto;padding:0 1em}
h1{font-size:1.5em;margin:0}h2{border-bottom:1px solid var(--soft);margin-top:1.6em}nav a{margin-right:1em;color:inherit}
figure{margin:.6em 0}figcaption span{margin-left:1em;white-space:nowrap}
figcaption i{display:inline-block;width:20px;margin-right:4px;vertical-align:middle}
svg{max-width:100%;height:auto;background:var(--card);border-radius:4px}svg text{font-size:11px;fill:currentColor}
.grid{stroke:var(--soft);stroke-width:1;fill:none}.line{fill:none;stroke-width:1.3;stroke-linejoin:round}
.mark{stroke:#c0392b;stroke-dasharray:2 3;fill:none}.cursor{stroke:currentColor;stroke-width:1;opacity:.6}
table{border-collapse:collapse;margin:.6em 0}td,th{padding:2px 12px 2px 0;text-align:left;vertical-align:top}
tr{border-bottom:1px solid var(--soft)}.many{display:grid;grid-template-columns:repeat(auto-fill,minmax(300px,1fr));gap:6px}
.many figure{margin:0}.none{opacity:.7}.bad{color:#c0392b;font-weight:600}
"""

_SCRIPT = """
const plots=[...document.querySelectorAll('svg[data-x]')];
for(const svg of plots){const c=document.createElementNS(svg.namespaceURI,'path');c.setAttribute('class','cursor');svg.append(c);
svg._r=svg.dataset.x.split(',').map(Number);svg._c=c;
svg.onmousemove=e=>{const b=svg.getBoundingClientRect(),v=svg.viewBox.baseVal,[lo,hi,l,r]=svg._r;
const x=(e.clientX-b.left)/b.width*v.width,t=lo+(x-l)/(r-l)*(hi-lo);
for(const p of plots){const[q,w,m,n]=p._r,h=p.viewBox.baseVal.height,k=m+(t-q)/(w-q)*(n-m);
p._c.setAttribute('d',k<m||k>n?'':`M${k} 8V${h-22}`)}document.getElementById('clock').textContent=t.toFixed(3)+' s'}}
"""


def page(recording: Recording) -> str:
    """HTML of a recording."""
    run = Run(recording)
    title = f"{run.title}"
    parts = [f"<h1>{html.escape(title)}</h1>", _table(summary_rows(run)), _navigation()]
    if recording.truncated:
        parts.append('<p class="bad">The file ends in the middle of a record: the run was cut off there.</p>')
    for anchor, (heading, section) in SECTIONS.items():
        parts.append(f'<section id="{anchor}"><h2>{heading}</h2>{"".join(section(run))}</section>')
    head = f'<meta charset="utf-8"><title>{html.escape(title)}</title><style>{_STYLE}</style>'
    body = "\n".join(parts)
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head>\n<body>{body}<script>{_SCRIPT}</script></body></html>\n'
    )


def _table(rows: list[tuple[str, str]]) -> str:
    cells = "".join(f"<tr><th>{html.escape(name)}</th><td>{value}</td></tr>" for name, value in rows)
    return f'<table id="summary">{cells}</table>'


def _navigation() -> str:
    links = "".join(f'<a href="#{anchor}">{heading}</a>' for anchor, (heading, _) in SECTIONS.items())
    return f'<nav>{links}<span id="clock"></span></nav>'


def write_page(recording: Recording, path: str | Path) -> None:
    """Write the page of a recording.

    Raises:
        BackendError: The file cannot be written.
    """
    try:
        Path(path).write_text(page(recording), encoding="utf-8")
    except OSError as error:
        raise BackendError(f"cannot be written: {error.strerror}", where=str(path)) from error
