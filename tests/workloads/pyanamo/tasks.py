"""A queue of batch tasks: its table, its items and the requests that every worker sends."""

from workload import definitions, global_index, items, provisioned

INDEXES = [
    global_index("ItemStateIndex", "ItemState", "itemID", units=(10, 5)),
    global_index("TaskStateIndex", "ItemState", "taskID", units=(10, 5)),
    global_index("InstanceStateIndex", "ItemState", "InstanceID", units=(10, 5)),
    global_index("LoggingIndex", "ItemState", "Log_Length", units=(10, 5)),
]
SETTINGS = {
    "AttributeDefinitions": definitions("itemID:S", "ItemState:S", "taskID:S", "InstanceID:S", "Log_Length:N"),
    "GlobalSecondaryIndexes": INDEXES, "BillingMode": "PROVISIONED", "ProvisionedThroughput": provisioned(10, 10),
}


def task(number, **more):
    """An item as it is imported: no InstanceID, nothing logged."""
    return {"itemID": f"item-{number:03}", "taskID": f"task-{number % 4}", "TaskScript": f"sh step.sh {number}",
            "ItemState": "todo", "Log": {}, "Log_Length": 0, **more}


def nested_task(number, count):
    """An item of so many tasks that run one after another."""
    return task(number, Nested_Tasks=count, TaskScript={
        f"Task_{step}": {"Status": "todo", "Script": f"sh step.sh {number} {step}"} for step in range(count)})


def listed(table, item_state, projection, names=None, **more):
    """The items in a state, as every client asks for them."""
    return items(table.query, IndexName="ItemStateIndex", KeyConditionExpression="#ItemState = :state",
                 ExpressionAttributeNames={"#ItemState": "ItemState", **(names or {})},
                 ExpressionAttributeValues={":state": item_state}, ProjectionExpression=projection, **more)


def lock(table, item_id, owner, **more):
    """Takes the item without asking, unless more has a condition: the last one to do so owns it."""
    return table.update_item(
        Key={"itemID": item_id}, ReturnValues="UPDATED_NEW", **more,
        UpdateExpression="SET #lockID = :lockID, #ItemState = :ItemState, #Lock_Date = :Lock_Date, #ID = :ID",
        ExpressionAttributeNames={"#lockID": "lockID", "#ItemState": "ItemState", "#Lock_Date": "Lock_Date", "#ID": "InstanceID"},
        ExpressionAttributeValues={":lockID": owner, ":ItemState": "locked", ":Lock_Date": "2020-01-01T00:00:00",
                                   ":ID": f"i-{owner}"})["Attributes"]


def state(table, item_id, projection="ItemState, lockID, Log_Length, Nested_Tasks"):
    """The item as the queue asks for it: by Query, eventually consistent."""
    return table.query(KeyConditionExpression="#itemID = :itemKey", ExpressionAttributeNames={"#itemID": "itemID"},
                       ExpressionAttributeValues={":itemKey": item_id}, ProjectionExpression=projection)["Items"]


def finish(table, item_id, log, date="2020-01-01T00:05:00"):
    """Stores the result of an item of one task."""
    return table.update_item(
        Key={"itemID": item_id}, ReturnValues="UPDATED_NEW",
        UpdateExpression="SET #ItemState = :ItemState, #Done_Date = :Done_Date, #LogLen = :one, #Log = :Log",
        ExpressionAttributeNames={"#ItemState": "ItemState", "#Done_Date": "Done_Date", "#LogLen": "Log_Length", "#Log": "Log"},
        ExpressionAttributeValues={":ItemState": "done", ":Done_Date": date, ":one": 1, ":Log": log})


def log_step(table, item_id, step, log):
    """Stores the result of one task of a nested item, then counts it."""
    stored = table.update_item(
        Key={"itemID": item_id}, UpdateExpression=f"SET #Logging.Task_{step} = :logs, #TaskScript.Task_{step} = :TaskScript",
        ExpressionAttributeNames={"#Logging": "Log", "#TaskScript": "TaskScript"},
        ExpressionAttributeValues={":logs": log, ":TaskScript": {"Status": "done", "Script": f"sh step.sh {step}"}},
        ReturnValues="UPDATED_NEW")["Attributes"]
    counted = table.update_item(
        Key={"itemID": item_id}, UpdateExpression="ADD #LogLen :one", ExpressionAttributeNames={"#LogLen": "Log_Length"},
        ExpressionAttributeValues={":one": 1}, ReturnValues="UPDATED_NEW")["Attributes"]
    return stored, counted
