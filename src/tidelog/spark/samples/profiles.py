"""User profiles from a compacted topic: visits meet the profile of the moment, and plans are counted as they change."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from tidelog.spark.pipeline import Table, lookup, revisions, stream, table, to_table, to_topic

profiles = table("profiles", key="user_id", json="name string, plan string")
page_views = stream("page-views", json="view_id string not null, user_id string, page string")


@to_topic("views-with-plan", key="view_id")
def with_plan(views: DataFrame = page_views, profiles: Table = profiles) -> DataFrame:
    return lookup(views, profiles, on="user_id", how="inner")


@to_table("users-by-plan", key="plan")
def by_plan(profiles: Table = profiles) -> DataFrame:
    changed = revisions(profiles)
    gained = F.struct(F.col("after.plan").alias("plan"), F.lit(1).alias("users"))
    lost = F.struct(F.col("before.plan").alias("plan"), F.lit(-1).alias("users"))
    steps = changed.select(F.explode(F.array(gained, lost)).alias("step")).where("step.plan is not null")
    return steps.groupBy("step.plan").agg(F.sum("step.users").alias("users"))
