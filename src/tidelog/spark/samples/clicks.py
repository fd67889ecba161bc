"""Clicks: how often each page is seen in ten seconds, what a visit was, and every click with its section."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from tidelog.spark.pipeline import stream, to_table, to_topic

clicks = stream(
    "clicks",
    json="click_id string not null, user string, page string, at timestamp",
    time="at",
    grace="10 seconds",
)


@to_table("page-counts", key=["page", "start"])
def pages(clicks: DataFrame = clicks) -> DataFrame:
    return (
        clicks.groupBy(F.window("at", "10 seconds"), "page")
        .count()
        .select("page", F.col("window.start").alias("start"), "count")
    )


@to_topic("visits", key="user")
def visits(clicks: DataFrame = clicks) -> DataFrame:
    return (
        clicks.groupBy(F.session_window("at", "5 seconds"), "user")
        .agg(F.count("*").alias("clicks"))
        .select(
            "user", "clicks", F.col("session_window.start").alias("start"), F.col("session_window.end").alias("end")
        )
    )


@to_topic("clicks-by-section", key="click_id")
def sections(clicks: DataFrame = clicks) -> DataFrame:
    return clicks.select("click_id", "user", "page", F.split("page", "/").getItem(1).alias("section"))
