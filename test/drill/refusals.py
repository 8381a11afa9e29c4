"""What the key policies refuse. A throw-away function with the role of `webhook-delivery` opens data keys of several kinds:
only the kind that signs deliveries, and only an organization's, may be opened. Prints what each attempt came to.

usage: refusals.py <stack> <region>"""

import base64
import io
import json
import os
import sys
import zipfile

import botocore.session

STACK, REGION = sys.argv[1:3]
NAME = "drill-refusals"
CODE = '''
import base64, botocore.session

def handler(event, _):
    kms = botocore.session.get_session().create_client("kms", region_name=event["region"], endpoint_url=event["url"])
    said = {}
    for name, each in event["keys"].items():
        try:
            kms.decrypt(KeyId=each["key"], CiphertextBlob=base64.b64decode(each["blob"]),
                        EncryptionContext=each["context"])
            said[name] = "opened"
        except Exception as error:
            said[name] = "refused" if "AccessDenied" in str(error) else str(error)
    return said
'''
CONTEXTS = {
    "signing": ("secrets", {"kind": "signing", "org_id": "org_drill"}),
    "signing of a user": ("secrets", {"kind": "signing", "org_id": "usr_drill"}),
    "integration": ("secrets", {"kind": "integration", "org_id": "org_drill"}),
    "psp": ("psp", {"kind": "psp", "org_id": "org_drill"}),
}
URL = os.environ["AWS_ENDPOINT_URL"]


def client(service):
    return botocore.session.get_session().create_client(service, region_name=REGION, endpoint_url=URL)


def sealed(kms):
    """Data keys as the service makes them, made by the account's administrator."""
    made = {}
    for name, (key, context) in CONTEXTS.items():
        blob = kms.generate_data_key(KeyId=f"alias/{STACK}-{key}", KeySpec="AES_256", EncryptionContext=context)
        made[name] = {"blob": base64.b64encode(blob["CiphertextBlob"]).decode(), "context": context,
                      "key": blob["KeyId"]}
    return made


def main():
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("index.py", CODE)
    functions = client("lambda")
    functions.create_function(
        FunctionName=NAME, Runtime="python3.12", Handler="index.handler", Timeout=30,
        Role=f"arn:aws:iam::000000000000:role/{STACK}-{REGION}-webhook-delivery", Code={"ZipFile": packed.getvalue()})
    try:
        event = {"region": REGION, "url": URL, "keys": sealed(client("kms"))}
        answer = functions.invoke(FunctionName=NAME, Payload=json.dumps(event).encode())
        print(answer["Payload"].read().decode())
    finally:
        functions.delete_function(FunctionName=NAME)
        client("logs").delete_log_group(logGroupName=f"/aws/lambda/{NAME}")


main()
