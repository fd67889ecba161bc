"""A pipeline from its file: the file is run as a module, and the steps it holds are collected."""

from __future__ import annotations

import importlib.util
import sys
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from tidelog.spark.pipeline.declare import LAKE, VIEW, Source, Step
from tidelog.spark.pipeline.errors import PipelineError


@dataclass(frozen=True)
class Pipeline:
    """The steps of one file, in the order in which they stand there."""

    name: str
    steps: tuple[Step, ...]
    file: str = ""
    about: str = ""

    @property
    def writers(self) -> list[Step]:
        """The steps that are queries: those that write somewhere."""
        return [step for step in self.steps if step.target.kind != VIEW]

    @property
    def dead_letters(self) -> str:
        return f"{self.name}.dead-letters"

    def query(self, step: Step) -> str:
        """The name of a step's query, which is its consumer group as well."""
        return f"{self.name}.{step.name}"

    def check_writer(self, name: str) -> None:
        names = [step.name for step in self.writers]
        if name not in names:
            raise PipelineError(f"{self.file} has no step '{name}' that writes; it has {', '.join(names)}")

    def sources(self) -> list[Source]:
        """Every distinct source that a step reads from a topic, in order."""
        found: list[Source] = []  # a schema may be a dict, so that a source is compared and not hashed
        for step in self.steps:
            found += [each for each in step.reads.values() if isinstance(each, Source) and each not in found]
        return found

    def topics_written(self) -> list[str]:
        targets = [step.target for step in self.writers if step.target.kind != LAKE]
        return [name for target in targets for name in (target.name, *target.also)]


def load(path: str) -> Pipeline:
    file = Path(path).absolute()
    if not file.is_file():
        raise PipelineError(f"there is no file '{path}'; name a Python file with a pipeline in it")
    name = file.stem.replace("_", "-")
    module_name = f"tidelog_pipeline_{file.stem}"
    spec = importlib.util.spec_from_file_location(module_name, file)
    if spec is None or spec.loader is None:
        raise PipelineError(f"'{path}' is not a Python file; name one that ends with .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    sys.path.insert(0, str(file.parent.resolve()))
    try:
        spec.loader.exec_module(module)
    except PipelineError as error:
        raise PipelineError(f"{path}: {error}") from error
    except Exception as error:
        raise PipelineError(f"{path}{_line(error, str(file))}: {type(error).__name__}: {error}") from error
    finally:
        sys.path.remove(str(file.parent.resolve()))
    _send_by_value(module, file.parent.resolve())
    return collect(name, vars(module), str(path), module.__doc__ or "")


def _send_by_value(module: ModuleType, folder: Path) -> None:
    """Workers cannot import the file or what lies beside it, so that functions and classes go to them whole."""
    try:
        from pyspark import cloudpickle
    except ImportError:
        return  # without Spark there are no workers
    register: Any = cloudpickle.register_pickle_by_value
    for each in [module, *_beside(folder)]:
        register(each)


def _beside(folder: Path) -> list[ModuleType]:
    """The modules that were imported from the pipeline's folder, and not from an environment that lies in it."""
    found = []
    for name, module in list(sys.modules.items()):
        place = folder.joinpath(*name.split("."))
        if getattr(module, "__file__", None) in (f"{place}.py", str(place / "__init__.py")):
            found.append(module)
    return found


def collect(name: str, names: dict[str, object], file: str = "", about: str = "") -> Pipeline:
    """The steps among the names of a module, by the line where they stand."""
    steps = {id(value): value for value in names.values() if isinstance(value, Step)}
    if not steps:
        raise PipelineError(
            f"{file or name} declares no step; decorate a function with @to_topic, @to_table or @to_lake"
        )
    ordered = sorted(steps.values(), key=lambda step: step.line)
    return Pipeline(name, tuple(ordered), file, about.strip().split("\n")[0])


def _line(error: Exception, file: str) -> str:
    """`:12` for the innermost line of the file that was running."""
    if isinstance(error, SyntaxError) and error.filename == file:
        return f":{error.lineno}"
    found, frame = "", error.__traceback__
    while frame is not None:
        if frame.tb_frame.f_code.co_filename == file:
            found = f":{frame.tb_lineno}"
        frame = frame.tb_next
    return found
