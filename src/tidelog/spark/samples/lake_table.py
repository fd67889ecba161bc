"""Topics kept as lake tables: clicks by day in Delta, the profiles of the moment in Iceberg."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from tidelog.spark.pipeline import changes, stream, to_lake

clicks = stream("clicks", json="click_id string not null, user string, page string, at timestamp")
profiles = changes("profiles", key="user_id", json="name string, plan string")


@to_lake("lake/clicks", partition_by="day")
def kept_clicks(clicks: DataFrame = clicks) -> DataFrame:
    return clicks.withColumn("day", F.to_date("at").cast("string"))


@to_lake("lake/shop.profiles", format="iceberg", key="user_id")
def kept_profiles(profiles: DataFrame = profiles) -> DataFrame:
    return profiles
