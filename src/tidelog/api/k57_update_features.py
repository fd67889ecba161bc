"""UpdateFeatures (57), versions 0 to 2: new levels of finalized features, all of them or none.

Up to version 1 the answer repeats each feature; version 2 has one error for all. A level must be one that every
registered node supports, and a downgrade must be asked for as such. kraft.version goes up by a change of the quorum:
the voters move from the settings into the log.
"""

from __future__ import annotations

from tidelog.api.context import RequestContext
from tidelog.api.registry import api
from tidelog.broker.broker import Broker
from tidelog.controller.features import SAFE_DOWNGRADE, UPGRADE, FeatureUpdate, update_features
from tidelog.metadata.features import KRAFT_VERSION
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages.update_features import (
    FeatureUpdateKey,
    UpdatableFeatureResult,
    UpdateFeaturesRequest,
    UpdateFeaturesResponse,
)
from tidelog.runtime.metadata import Command

TYPES_FROM = 1
RESULTS_UNTIL = 1


@api(UpdateFeaturesRequest, controller=True)
async def handle(broker: Broker, context: RequestContext, request: UpdateFeaturesRequest) -> UpdateFeaturesResponse:
    updates = [_update(each, context.version) for each in request.feature_updates]
    try:
        await _carry_out(broker, updates, request)
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


async def _carry_out(broker: Broker, updates: list[FeatureUpdate], request: UpdateFeaturesRequest) -> None:
    quorum = broker.metadata.quorum
    levels = [each.level for each in updates if each.name == KRAFT_VERSION and each.level > quorum.kraft_version]

    def command(validate_only: bool) -> Command[None]:
        return lambda image, environment: update_features(
            image, environment, updates, validate_only, quorum.kraft_version
        )

    if levels and not request.validate_only:
        await broker.metadata.submit(command(validate_only=True))
        code, message = await quorum.upgrade_voters(request.timeout_ms)
        if code is not ErrorCode.NONE:
            raise KafkaError(code, f"Invalid update version {levels[0]} for feature {KRAFT_VERSION}. {message}")
    await broker.metadata.submit(command(request.validate_only))


def _update(wanted: FeatureUpdateKey, version: int) -> FeatureUpdate:
    """Version 0 only knows whether a downgrade is allowed."""
    if version >= TYPES_FROM:
        return FeatureUpdate(wanted.feature, wanted.max_version_level, wanted.upgrade_type)
    kind = SAFE_DOWNGRADE if wanted.allow_downgrade else UPGRADE
    return FeatureUpdate(wanted.feature, wanted.max_version_level, kind)
