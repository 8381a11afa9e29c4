"""The emulator of the drill: ministack, with what it lacks for these stacks.

Each module below changes one thing and says which. Everything else is ministack as it was published.
"""

from ministack import app

import access_log
import conditions
import metrics
import regions
import requests_of_payload_2
import resources
import streams

for module in (conditions, resources, regions, requests_of_payload_2, streams, metrics, access_log):
    module.install()
app.main()
