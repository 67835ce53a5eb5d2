"""The line of JSON that every run prints."""

import json
import math
import resource


def emit(outcome):
    """Prints an outcome; numbers that are none make it a failure."""
    observed = [float(x) for x in outcome.get("observed", [])]
    if not all(math.isfinite(x) for x in observed):
        outcome["failure"] = outcome.get("failure") or "the result is not finite"
        observed = []
    outcome["observed"] = observed
    outcome["memory_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps(outcome))
