"""A marketplace: its events in the order of their city, and what each city sold by the minute."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from tidelog.spark.pipeline import stream, to_table, to_topic

events = stream(
    "marketplace",
    json="event string not null, city string not null, price double, at timestamp",
    time="at",
    grace="30 seconds",
)


@to_topic("marketplace-by-city", key="city", time="at", grace="30 seconds")
def by_city(events: DataFrame = events) -> DataFrame:
    return events.where("price > 0")


@to_table("city-minutes", key=["city", "minute"])
def minutes(by_city: DataFrame = by_city) -> DataFrame:
    sold = by_city.where("event = 'sale'").groupBy("city", F.window("at", "1 minute"))
    return sold.agg(F.sum("price").alias("sold")).select("city", F.col("window.start").alias("minute"), "sold")
