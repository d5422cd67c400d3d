"""Files and functions stay short, and everything public says what it is."""
from __future__ import annotations

import ast
import statistics
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "wbc_control"
MAX_FILE_LINES = 300
MAX_FUNCTION_LINES = 60
MAX_MEDIAN_LINES = 8

Function = ast.FunctionDef | ast.AsyncFunctionDef
Documented = Function | ast.ClassDef


def trees() -> Iterator[tuple[Path, ast.Module]]:
    for file in sorted(PACKAGE.rglob("*.py")):
        yield file.relative_to(ROOT), ast.parse(file.read_text(encoding="utf-8"))


def functions() -> Iterator[tuple[Path, Function]]:
    for file, tree in trees():
        yield from ((file, node) for node in ast.walk(tree) if isinstance(node, Function))


def code_lines(function: Function) -> int:
    """Lines of the body, without the docstring."""
    body = function.body[1:] if ast.get_docstring(function) is not None else function.body
    return (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0


def test_no_file_is_long() -> None:
    files = [*PACKAGE.rglob("*.py"), *(ROOT / "launch").rglob("*.py"), *(ROOT / "test").rglob("*.py")]
    lengths = {str(f.relative_to(ROOT)): len(f.read_text(encoding="utf-8").splitlines()) for f in files}
    assert {name: n for name, n in lengths.items() if n > MAX_FILE_LINES} == {}


def test_no_function_is_long() -> None:
    lengths = {f"{file}:{function.lineno} {function.name}": code_lines(function) for file, function in functions()}
    assert {name: lines for name, lines in lengths.items() if lines > MAX_FUNCTION_LINES} == {}


def test_functions_are_short_on_the_whole() -> None:
    assert statistics.median(code_lines(function) for _, function in functions()) <= MAX_MEDIAN_LINES


def test_every_module_says_what_it_is() -> None:
    assert [str(file) for file, tree in trees() if tree.body and ast.get_docstring(tree) is None] == []


def public_members(tree: ast.Module) -> Iterator[tuple[str, Documented, bool]]:
    """Name, node, and whether it may inherit its docstring, of everything public at the top and in public classes."""
    for node in tree.body:
        if isinstance(node, Documented) and not node.name.startswith("_"):
            yield node.name, node, False
            if isinstance(node, ast.ClassDef):
                methods = (m for m in node.body if isinstance(m, Function) and not m.name.startswith("_"))
                yield from ((f"{node.name}.{m.name}", m, bool(node.bases) or is_setter(m)) for m in methods)


def is_setter(method: Function) -> bool:
    return any(isinstance(d, ast.Attribute) and d.attr == "setter" for d in method.decorator_list)


def test_everything_public_has_a_docstring() -> None:
    """An override may rely on the docstring of the method it overrides."""
    members = [(file, *member) for file, tree in trees() for member in public_members(tree)]
    described = {name.split(".")[-1] for _, name, node, _ in members if "." in name and ast.get_docstring(node)}
    silent = [
        f"{file}:{node.lineno} {name}"
        for file, name, node, inherits in members
        if ast.get_docstring(node) is None and not (inherits and node.name in described)
    ]
    assert silent == []


def test_everything_exported_exists() -> None:
    """Names in ``__all__`` are defined or imported in the same file."""
    wrong = []
    for file, tree in trees():
        assignments = [node for node in tree.body if isinstance(node, ast.Assign) and _names(node) == ["__all__"]]
        exported = [ast.literal_eval(node.value) for node in assignments]
        wrong += [f"{file}: {name}" for names in exported for name in names if name not in defined(tree)]
    assert wrong == []


def _names(node: ast.Assign) -> list[str]:
    return [target.id for target in node.targets if isinstance(target, ast.Name)]


def defined(tree: ast.Module) -> set[str]:
    names: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            names |= {alias.asname or alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, Documented):
            names.add(node.name)
        elif isinstance(node, ast.Assign):
            names |= set(_names(node))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.add(node.target.id)
    return names
