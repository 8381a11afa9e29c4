"""Filter patterns of CloudWatch Logs for JSON lines, such as { ($.status = "5*") && ($.status != "502") }.

ministack takes each of them for a pattern that matches everything.
"""

import json
import re
from fnmatch import fnmatchcase

TOKEN = re.compile(r'\s*(&&|\|\||[()]|\$\.[\w.\[\]"]+|!=|>=|<=|=|>|<|IS\s+NULL|NOT\s+EXISTS|"[^"]*"|[^\s()&|=!<>]+)')


def value_at(line, path):
    for name in path[2:].split("."):
        line = line.get(name) if isinstance(line, dict) else None
    return line


def compare(found, operator, wanted):
    if operator.startswith("NOT"):
        return found is None
    if found is None:
        return False
    if operator in (">", "<", ">=", "<="):
        try:
            left, right = float(found), float(wanted)
        except (TypeError, ValueError):
            return False
        return {">": left > right, "<": left < right, ">=": left >= right, "<=": left <= right}[operator]
    text = json.dumps(found) if isinstance(found, bool) else str(found)
    return fnmatchcase(text, wanted) == (operator == "=")


class Parser:
    def __init__(self, text):
        self.tokens = TOKEN.findall(text.strip().strip("{}"))

    def take(self):
        return self.tokens.pop(0)

    def either(self):
        left = self.both()
        while self.tokens and self.tokens[0] == "||":
            self.take()
            left = (lambda a, b: lambda line: a(line) or b(line))(left, self.both())
        return left

    def both(self):
        left = self.term()
        while self.tokens and self.tokens[0] == "&&":
            self.take()
            left = (lambda a, b: lambda line: a(line) and b(line))(left, self.term())
        return left

    def term(self):
        first = self.take()
        if first == "(":
            inner = self.either()
            self.take()
            return inner
        operator = self.take()
        wanted = "" if operator.startswith(("IS", "NOT")) else self.take().strip('"')
        return lambda line: compare(value_at(line, first), operator, wanted)


def matcher(pattern):
    """Tells whether a line matches. A pattern without braces asks for its terms."""
    if not pattern.strip().startswith("{"):
        terms = re.findall(r'"[^"]*"|\S+', pattern)
        return lambda text: all(term.strip('"') in text for term in terms)
    matches = Parser(pattern).either()

    def of_json(text):
        try:
            line = json.loads(text)
        except ValueError:
            return False
        return isinstance(line, dict) and bool(matches(line))

    return of_json
