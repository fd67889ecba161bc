"""The data source that Spark knows as `tidelog`."""

from __future__ import annotations

import os

from pyspark.sql.datasource import (
    DataSource,
    DataSourceReader,
    DataSourceStreamReader,
    DataSourceStreamWriter,
    DataSourceWriter,
)
from pyspark.sql.types import StructType

from tidelog.client.errors import ClientError
from tidelog.spark.batch_sink import TidelogBatchWriter
from tidelog.spark.options import OptionError
from tidelog.spark.plan import Settings
from tidelog.spark.sink import SinkSettings, TidelogStreamWriter
from tidelog.spark.source import HEADERS, SCHEMA, RefusedReader, TidelogBatchReader, TidelogStreamReader


class TidelogDataSource(DataSource):
    @classmethod
    def name(cls) -> str:
        return "tidelog"

    def schema(self) -> str:
        wanted = str(self.options.get("includeHeaders", "false")).strip().lower() == "true"
        return f"{SCHEMA}, {HEADERS}" if wanted else SCHEMA

    def reader(self, schema: StructType) -> DataSourceReader:
        _tell_without_a_stack()
        return TidelogBatchReader(Settings.read(self.options, streaming=False), schema)

    def streamReader(self, schema: StructType) -> DataSourceStreamReader:
        _tell_without_a_stack()
        try:
            return TidelogStreamReader(Settings.read(self.options, streaming=True), schema)
        except ClientError as error:
            return RefusedReader(error)

    def writer(self, schema: StructType, overwrite: bool) -> DataSourceWriter:
        _tell_without_a_stack()
        if overwrite:
            raise OptionError('A topic cannot be overwritten; write with .mode("append")')
        return TidelogBatchWriter(SinkSettings.read(self.options, schema, streaming=False))

    def streamWriter(self, schema: StructType, overwrite: bool) -> DataSourceStreamWriter:
        _tell_without_a_stack()
        if overwrite:
            raise OptionError("A topic cannot hold the complete output mode; use append or update")
        return TidelogStreamWriter(SinkSettings.read(self.options, schema, streaming=True))


def _tell_without_a_stack() -> None:
    """Errors of this process as their sentence alone.

    Readers and writers are made in processes that plan and commit for this source and do nothing else. Spark has a
    setting for it, which it does not hand to the process that plans a stream.
    """
    os.environ["SPARK_HIDE_TRACEBACK"] = "1"
