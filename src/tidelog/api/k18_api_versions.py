"""ApiVersions (18), versions 0 to 4: what this listener serves, and the features of the cluster.

Only registered APIs are named, with the versions they truly serve. Produce is listed from version 0 although 3 is the
first one accepted: librdkafka takes the lower bound as a sign of which compressions a broker knows. A version we do not
know is answered in version 0 by the session itself, since its body cannot be read. Up to version 3, features whose
lower bound is 0 are left out, because old clients cannot read them.
"""

from __future__ import annotations

import re

from tidelog.api.context import RequestContext
from tidelog.api.registry import Api, api
from tidelog.broker.broker import Broker
from tidelog.metadata.features import KRAFT_VERSION, SUPPORTED
from tidelog.protocol.errors import ErrorCode
from tidelog.protocol.messages.api_versions import (
    ApiVersion,
    ApiVersionsRequest,
    ApiVersionsResponse,
    FinalizedFeatureKey,
    SupportedFeatureKey,
)

_SOFTWARE = re.compile(r"[a-zA-Z0-9](?:[a-zA-Z0-9.-]*[a-zA-Z0-9])?")
ALL_FEATURES_FROM = 4


@api(ApiVersionsRequest)
def handle(broker: Broker, context: RequestContext, request: ApiVersionsRequest) -> ApiVersionsResponse:
    if context.version >= 3:
        names = (request.client_software_name, request.client_software_version)
        if not all(map(_SOFTWARE.fullmatch, names)):
            return ApiVersionsResponse(error_code=ErrorCode.INVALID_REQUEST)
        context.connection.client_software_name, context.connection.client_software_version = names
    private = context.connection.listener_name in (broker.config.controller_listener_names or ())
    image = broker.metadata.image
    supported = [
        SupportedFeatureKey(name=name, min_version=first, max_version=last)
        for name, (first, last) in sorted(SUPPORTED.items())
        if first > 0 or context.version >= ALL_FEATURES_FROM
    ]
    levels = {**image.features.levels}
    if broker.metadata.quorum.kraft_version:
        levels[KRAFT_VERSION] = broker.metadata.quorum.kraft_version
    finalized = [
        FinalizedFeatureKey(name=name, max_version_level=level, min_version_level=level)
        for name, level in sorted(levels.items())
    ]
    return ApiVersionsResponse(
        api_keys=[
            advertised(each) for each in broker.apis.values() if (each.on_controller if private else each.on_broker)
        ],
        supported_features=supported,
        finalized_features_epoch=image.provenance.offset,
        finalized_features=finalized,
    )


def advertised(served: Api) -> ApiVersion:
    return ApiVersion(api_key=served.key, min_version=served.advertised_first, max_version=served.last)


def unsupported_version() -> bytes:
    """The body, in version 0, for a client that asked in a version we do not know; it tells which ones we do."""
    first, last = ApiVersionsRequest.VERSIONS
    known = ApiVersion(api_key=ApiVersionsRequest.API_KEY, min_version=first, max_version=last)
    return ApiVersionsResponse(error_code=ErrorCode.UNSUPPORTED_VERSION, api_keys=[known]).encode(0)
