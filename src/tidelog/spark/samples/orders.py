"""Orders with the users who placed them, and what each city spends."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from tidelog.spark.pipeline import Table, lookup, stream, table, to_table, to_topic

orders = stream("orders", json="order_id string not null, user_id string, amount double, at timestamp")
users = table("users", key="user_id", json="name string, city string")


@to_topic("enriched-orders", key="order_id")
def enriched(orders: DataFrame = orders, users: Table = users) -> DataFrame:
    return lookup(orders, users, on="user_id")


@to_table("spent-by-city", key="city")
def spent(enriched: DataFrame = enriched) -> DataFrame:
    named = enriched.na.fill("unknown", ["city"])
    return named.groupBy("city").agg(F.sum("amount").alias("spent"), F.count("*").alias("orders"))
