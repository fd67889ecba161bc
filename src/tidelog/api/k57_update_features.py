"""UpdateFeatures (57), versions 0 to 2: new levels of finalized features, all of them or none.

Up to version 1 the answer repeats each feature; version 2 has one error for all. A level must be one that every
registered node supports, and a downgrade must be asked for as such. Left out: a change of kraft.version.
"""

from __future__ import annotations

from tidelog.api.context import RequestContext
from tidelog.api.registry import api
from tidelog.broker.broker import Broker
from tidelog.controller.features import SAFE_DOWNGRADE, UPGRADE, FeatureUpdate, update_features
from tidelog.protocol.errors import KafkaError
from tidelog.protocol.messages.update_features import (
    FeatureUpdateKey,
    UpdatableFeatureResult,
    UpdateFeaturesRequest,
    UpdateFeaturesResponse,
)

TYPES_FROM = 1
RESULTS_UNTIL = 1


@api(UpdateFeaturesRequest, controller=True)
async def handle(broker: Broker, context: RequestContext, request: UpdateFeaturesRequest) -> UpdateFeaturesResponse:
    updates = [_update(each, context.version) for each in request.feature_updates]
    try:
        await broker.metadata.submit(
            lambda image, environment: update_features(image, environment, updates, request.validate_only)
        )
    except KafkaError as error:
        return UpdateFeaturesResponse(
            error_code=int(error.code),
            error_message="The update failed for all features since the following feature had an error: "
            f"{error.message}",
        )
    results = []
    if context.version <= RESULTS_UNTIL:
        results = [UpdatableFeatureResult(feature=each.name, error_message="NONE") for each in updates]
    return UpdateFeaturesResponse(error_message=None, results=results)


def _update(wanted: FeatureUpdateKey, version: int) -> FeatureUpdate:
    """Version 0 only knows whether a downgrade is allowed."""
    if version >= TYPES_FROM:
        return FeatureUpdate(wanted.feature, wanted.max_version_level, wanted.upgrade_type)
    kind = SAFE_DOWNGRADE if wanted.allow_downgrade else UPGRADE
    return FeatureUpdate(wanted.feature, wanted.max_version_level, kind)
