"""Copies the items of a table to the table of the same name in another region, in place of DynamoDB's replication, and
prints how many.

usage: copy_items.py <table> <from region> <to region>"""

import os
import sys

import botocore.session

TABLE, FROM, TO = sys.argv[1:]


def client(region):
    return botocore.session.get_session().create_client(
        "dynamodb", region_name=region, endpoint_url=os.environ["AWS_ENDPOINT_URL"])


source, target = client(FROM), client(TO)
copied = 0
for page in source.get_paginator("scan").paginate(TableName=TABLE):
    for item in page["Items"]:
        target.put_item(TableName=TABLE, Item=item)
        copied += 1
print(copied)
