"""The data source that Spark knows as `tidelog`."""

from __future__ import annotations

from pyspark.sql.datasource import (
    DataSource,
    DataSourceReader,
    DataSourceStreamReader,
    DataSourceStreamWriter,
    DataSourceWriter,
)
from pyspark.sql.types import StructType

from tidelog.spark.batch_sink import TidelogBatchWriter
from tidelog.spark.options import OptionError
from tidelog.spark.plan import Settings
from tidelog.spark.sink import SinkSettings, TidelogStreamWriter
from tidelog.spark.source import HEADERS, SCHEMA, TidelogBatchReader, TidelogStreamReader


class TidelogDataSource(DataSource):
    @classmethod
    def name(cls) -> str:
        return "tidelog"

    def schema(self) -> str:
        wanted = str(self.options.get("includeHeaders", "false")).strip().lower() == "true"
        return f"{SCHEMA}, {HEADERS}" if wanted else SCHEMA

    def reader(self, schema: StructType) -> DataSourceReader:
        return TidelogBatchReader(Settings.read(self.options, streaming=False), schema)

    def streamReader(self, schema: StructType) -> DataSourceStreamReader:
        return TidelogStreamReader(Settings.read(self.options, streaming=True), schema)

    def writer(self, schema: StructType, overwrite: bool) -> DataSourceWriter:
        if overwrite:
            raise OptionError('A topic cannot be overwritten; write with .mode("append")')
        return TidelogBatchWriter(SinkSettings.read(self.options, schema, streaming=False))

    def streamWriter(self, schema: StructType, overwrite: bool) -> DataSourceStreamWriter:
        if overwrite:
            raise OptionError("A topic cannot hold the complete output mode; use append or update")
        return TidelogStreamWriter(SinkSettings.read(self.options, schema, streaming=True))
