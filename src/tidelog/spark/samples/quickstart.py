"""The pipeline of `./dev quickstart`: how often each page is seen in ten seconds, and each click with its section."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from tidelog.spark.pipeline import stream, to_table, to_topic

clicks = stream(
    "clicks",
    json="click_id string not null, user string, page string, at timestamp",
    time="at",
    grace="30 seconds",
)


@to_table("page-counts", key=["page", "start"])
def pages(clicks: DataFrame = clicks) -> DataFrame:
    windows = clicks.groupBy(F.window("at", "10 seconds"), "page")
    return windows.count().select("page", F.col("window.start").alias("start"), "count")


@to_topic("clicks-by-section", key="click_id")
def sections(clicks: DataFrame = clicks) -> DataFrame:
    return clicks.select("click_id", "user", F.split("page", "/").getItem(1).alias("section"))
