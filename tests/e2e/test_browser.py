#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Tests HTML reports in Debian's Chromium (chromium, chromium-driver; selenium of Debian or PyPI). The console stays empty, the
page makes no request over the network, and nothing sticks out at 360, 1280 and 2560 pixels. The numbers that pointing at channels
and points shows are those of the report, keys do what the pointer does, and axe-core, if it is installed (AXE: its file;
tools/pypi.sh axe), has no complaint. --can: tells by its status whether there is a browser. SHOTS: a folder for screenshots.
"""
import glob
import os
import re
import shutil
import sys
import time

DRIVER = shutil.which("chromedriver")
CHROMIUM = shutil.which("chromium")


def selenium_is_there():
    try:
        import selenium  # noqa: F401
    except ImportError:
        return False
    return True


if sys.argv[1:] == ["--can"]:
    sys.exit(not (DRIVER and CHROMIUM and selenium_is_there()))

import json

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

from command import HOME, check, main, output, run
from report_page import Page

WIDTHS = (360, 1280, 2560)
SHOTS = os.environ.get("SHOTS")
PAGES = {
    "transpose": "run cube:8 transpose --compare --link model",
    "all-to-all": "run mesh:8x8 all-to-all --link model",
    "otis": "run otis-mesh:4 bpc:shuffle --link model",
    "goal": "run cube:3 goal:ring.goal --link model",
    "omega": "run omega:16 bit-reverse --link model",
    "lanes": "run torus:4x4v2 random-perm --link model",
    "large": "plan mesh:16x16 all-to-all --planner greedy",
    "loads": "sweep cube:4,mesh:4x4,torus:4x4v2 uniform --load 0.1:0.5:0.1 --measure 800 --seeds 3",
    "channels": "sweep mesh:4x4 uniform --load 0.1:0.3:0.1 --measure 800 --by channel --window 200",
    "sizes": "sweep cube,mesh complement --nodes 4:64",
    "program": "run cube:3 allreduce:ring --calc-cycles 3 --link model",
    "ports": "run ocs:8x2 demand:skew:3,4,60 --link model",
    "choice": "run mesh:4x4 random-perm --rule west-first --link model",
    "dark": "sweep ocs:8,mesh:2x4,cube:3 uniform:40 --dark 0:20:10",
    "check": "check ring:5",
    "collective": "goal allreduce:ring 4",
}
# Pages that are slow in every test.
FEW = ("large",)


def fabric_words(command):
    return command.replace("goal:ring.goal", "goal:" + os.path.join(os.getcwd(), "ring.goal"))


def browser(dark=False):
    options = Options()
    options.binary_location = CHROMIUM
    for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"):
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    it = webdriver.Chrome(service=Service(DRIVER), options=options)
    it.set_script_timeout(120)  # of axe-core
    it.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})
    return it


def said(b, name):
    """Returns the lines of the console and the requests since the last call."""
    check(not (logs := [entry["message"][:200] for entry in b.get_log("browser")]), f"{name}: on the console: {logs}")
    sent = [json.loads(entry["message"])["message"] for entry in b.get_log("performance")]
    asked = [m["params"]["request"]["url"] for m in sent if m["method"] == "Network.requestWillBeSent"]
    check(all(url.startswith("file://") and url.endswith(".html") for url in asked), f"{name}: asked for {asked[:3]}")


def size(b, width, height=900):
    b.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})


def open_page(b, name):
    b.get("file://" + os.path.join(os.getcwd(), name + ".html"))


def shoot(b, name, width):
    if not SHOTS:
        return
    size(b, width, min(3200, b.execute_script("return document.documentElement.scrollHeight")))
    b.save_screenshot(os.path.join(SHOTS, f"{name}-{width}.png"))


def tip(b):
    return b.execute_script("return document.getElementById('tip').textContent")


def axe_script():
    path = os.environ.get("AXE") or next(iter(glob.glob("build/venv-axe/lib/python*/site-packages/axe_core_python/axe.min.js", root_dir=HOME)), None)
    if not path:
        return None
    with open(os.path.join(HOME, path), encoding="utf-8") as it:
        return it.read()


def write_pages():
    with open("ring.goal", "w", encoding="utf-8") as it:
        it.write(output("goal allreduce:ring 8"))
    for name, command in PAGES.items():
        words = [*fabric_words(command).split(), "--html", name + ".html"]
        done = run([*words, "-q"] if not command.startswith("goal") else words)
        check(done.returncode in (0, 1) and not done.stderr.strip().startswith("flitloom:"), f"{words}: {done.stderr[:200]}")


def test_widths(b):
    for name in PAGES:
        for width in WIDTHS:
            size(b, width)
            open_page(b, name)
            sticks = b.execute_script("return document.documentElement.scrollWidth - innerWidth")
            check(sticks <= 0, f"{name} at {width}: {sticks} pixels stick out")
            shoot(b, name, width)
            said(b, f"{name} at {width}")
        paint = b.execute_script("return performance.getEntriesByType('paint').map(e => e.startTime)")
        check(not paint or max(paint) < 5000, f"{name}: first paint after {paint} ms")  # the machine may be busy


def shown_numbers(text):
    return [float(x) for x in re.findall(r"(?<![\w.>-])\d+(?:\.\d+)?", text)]


def check_channels(b, name, k, page_run):
    """Points at channels, in all passes and in one, and compares the text with the data."""
    loads, blocked = page_run.loads(), page_run.blocked()
    for number_of_pass in sorted({-1, 0, page_run.raw["passes"] - 1}):
        b.execute_script("const s = document.getElementById('time'); s.value = arguments[0]; s.dispatchEvent(new Event('input'))", number_of_pass + 1)
        passes = range(page_run.raw["passes"]) if number_of_pass < 0 else [number_of_pass]
        marked = b.execute_script("""
            return [...document.querySelectorAll('figure[data-panel="' + arguments[0] + '"] [data-c]')].slice(0, 400).map((e) => {
                e.dispatchEvent(new MouseEvent('mouseover', {bubbles: true}));
                return [+e.getAttribute('data-c'), document.getElementById('tip').textContent];
            })""", k)
        bad = []
        for channel, text in marked:
            place = page_run.place[channel]
            counts = [loads.get((p, place), (0, 0)) for p in passes]
            messages, flits = sum(c[0] for c in counts), sum(c[1] for c in counts)
            waited = sum(blocked.get((p, place), 0) for p in passes)
            lines = text.split("\n")
            want = [page_run.raw["channels"][place][1], re.search(r"\d+ message", lines[1]) and int(re.match(r"\d+", lines[1])[0]) == messages,
                    int(re.match(r"\d+", lines[2])[0]) == flits, waited == 0 or f"headers waited {waited} cycle" in text]
            if not (lines[0].startswith(want[0]) and all(want[1:])):
                bad.append(f"{text!r}: {messages}, {flits}, {waited}")
        check(marked and not bad, f"{name}, pass {number_of_pass}: {len(marked)} channels, {bad[:2]}")


def test_channels(b):
    size(b, 1280)
    for name, command in PAGES.items():
        if command.split()[0] not in ("run", "plan") or name in FEW:
            continue
        open_page(b, name)
        for k, page_run in enumerate(Page(name + ".html").runs):
            check_channels(b, name, k, page_run)
        said(b, name)


def rows_of(b, selector):
    return b.execute_script("return [...document.querySelectorAll(arguments[0] + ' tbody tr')].map(r => [...r.cells].map(c => c.textContent))", selector)


def test_messages(b):
    """Checks the rows of a message's table: each channel, and the message for which it waited."""
    size(b, 1280)
    open_page(b, "all-to-all")
    it = Page("all-to-all.html").runs[0]
    b.execute_script("document.querySelector('#lists details:nth-of-type(1) input').focus()")
    for i in (9, 30, 63):
        b.execute_script("""const box = document.querySelector('#lists input'); box.value = arguments[0]; box.dispatchEvent(new Event('input'));
            [...document.querySelectorAll('#lists tbody th button')].find((x) => x.textContent === arguments[0]).click()""", str(i))
        rows = rows_of(b, "#detail")
        want = [[it.raw["channels"][at][1], str(asked), str(header), str(tail), str(header - asked)] for at, asked, header, tail in it.crossings(i)]
        check([row[:5] for row in rows] == want, f"message {i}: {rows[:2]} and {want[:2]}")
        for row, (at, asked, header, _) in zip(rows, it.crossings(i)):
            named = [int(x) for x in re.findall(r"message (\d+)", row[5])]
            check(bool(named) == (header > asked), f"message {i} at {row[0]}: waits {header - asked}, for {named}")
            for other in named:
                its = [c for c in it.crossings(other) if c[0] == at]
                check(its and its[0][2] < header, f"message {i} at {row[0]}: waits for {other}, which was there {its}")
    said(b, "messages")


def test_keys(b):
    """Uses the page with the keyboard alone: channels, time, lists."""
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    open_page(b, "otis")
    svg = b.find_element(By.CSS_SELECTOR, "figure svg")
    b.execute_script("arguments[0].focus()", svg)
    seen = set()
    for _ in range(5):
        b.switch_to.active_element.send_keys(Keys.ARROW_RIGHT)
        seen.add(tip(b))
    check(len(seen) == 5 and all("message" in text for text in seen), f"arrow keys: {seen}")
    b.switch_to.active_element.send_keys(Keys.ENTER)
    check("detail" and b.execute_script("return document.querySelector('#detail h2') !== null"), "Enter tells of a channel")
    b.switch_to.active_element.send_keys(Keys.ESCAPE)
    check(b.execute_script("return document.querySelector('#detail').childElementCount") == 0, "Escape closes it")
    b.execute_script("document.getElementById('time').focus()")
    b.switch_to.active_element.send_keys(Keys.ARROW_RIGHT)
    check("pass 0 of" in b.execute_script("return document.getElementById('where').textContent"), "a pass on")
    b.execute_script("document.getElementById('play').click()")
    time.sleep(1.2)
    check(b.execute_script("return document.getElementById('time').value") not in ("0", "1"), "play")
    b.execute_script("const u = document.getElementById('unit'); u.value = 'cycle'; u.dispatchEvent(new Event('change'))")
    check("cycle 1 of" in b.execute_script("return document.getElementById('where').textContent"), "cycle by cycle")
    busy = b.execute_script("return [...document.querySelectorAll('[data-c]')].map(e => e.getAttribute('fill') + e.getAttribute('stroke')).filter((x, i, all) => all.indexOf(x) === i).length")
    check(busy > 1, "in the first cycle some channels carry messages")
    head = "#lists thead button"
    b.execute_script(f"document.querySelector('{head}').click(); document.querySelector('{head}').click()")
    rows = [int(row[0]) for row in rows_of(b, "#lists details:nth-of-type(1)")]
    check(rows == sorted(rows, reverse=True) and len(rows) > 2, f"sorted downwards: {rows[:5]}")
    said(b, "keys")


def test_computing(b):
    """Checks the bars of nodes that compute, and which nodes compute in a cycle."""
    size(b, 1280)
    open_page(b, "program")
    busy = Page("program.html").runs[0].raw["busy"]
    bars = [tuple(busy[k:k + 3]) for k in range(0, len(busy), 3)]
    texts = b.execute_script("return [...document.querySelectorAll('.busy')].map((e) => { e.dispatchEvent(new MouseEvent('mouseenter')); return document.getElementById('tip').textContent; })")
    check(sorted(tuple(map(int, re.findall(r"\d+", text))) for text in texts) == sorted(bars) and bars, f"program: {texts[:3]}")
    b.execute_script("const u = document.getElementById('unit'); u.value = 'cycle'; u.dispatchEvent(new Event('change'))")
    for cycle in (1, bars[0][1], bars[-1][2]):
        b.execute_script("const s = document.getElementById('time'); s.value = arguments[0]; s.dispatchEvent(new Event('input'))", cycle)
        text = b.execute_script("return document.querySelector('.busy-nodes p').textContent")
        now = sorted(node for node, first, last in bars if first <= cycle <= last)
        check(text == (f"in cycle {cycle} compute: {', '.join(map(str, now))}" if now else f"in cycle {cycle} no node computes"), f"program, cycle {cycle}: {text}")
    said(b, "computing")


def test_choice(b):
    """Checks that channels show what they may carry and what they did carry, where routers are adaptive."""
    size(b, 1280)
    open_page(b, "choice")
    it = Page("choice.html").data["chosen"][0]
    shown = b.execute_script("""return [...document.querySelectorAll('[data-c]')].map((e) => {
        e.dispatchEvent(new MouseEvent('mouseenter')); return [+e.getAttribute('data-c'), document.getElementById('tip').textContent]; })""")
    number = {c[0]: k for k, c in enumerate(it["channels"])}
    said_of = {place: (least, most, messages) for _, place, least, most, messages, *_ in it["rows"]}
    bad = [text for channel, text in shown if channel in number and tuple(map(int, re.search(r"(\d+) to (\d+) messages?, measured (\d+)", text).groups())) != said_of[number[channel]]]
    check(len(shown) > 20 and not bad, f"choice: {bad[:3]}")
    check(len(rows_of(b, "#lists")) == min(100, len(it["rows"])), f"choice: {len(rows_of(b, '#lists'))} rows of {len(it['rows'])}")
    said(b, "choice")


def test_points(b):
    """Checks the numbers of points of curves."""
    for name, fields in (("loads", ("load", "latency.mean")), ("sizes", ("nodes", "measured_cycles")), ("dark", ("dark", "measured_cycles"))):
        open_page(b, name)
        report = Page(name + ".html").report
        texts = b.execute_script("return [...document.querySelectorAll('#curves .dot')].map(e => { e.dispatchEvent(new MouseEvent('mouseenter')); return document.getElementById('tip').textContent })")
        points = [p for c in report["curves"] for p in c["points"]] if "curves" in report else report["runs"]
        get = lambda p, path: p[path] if "." not in path else (p[path.split(".")[0]] or {}).get(path.split(".")[1])
        if name == "dark":  # what is never dark has a level, from the least to the most
            points = [q for p in points for q in ([p] if p["dark"] is not None else [{**p, "dark": 0}, {**p, "dark": 20}])]
        want = sorted((float(f"{get(p, fields[0]):.6g}"), float(f"{get(p, fields[1]):.6g}")) for p in points if get(p, fields[1]) is not None)
        got = sorted(tuple(shown_numbers("\n".join(t.split("\n")[1:]))[:2]) for t in texts)
        check(got == want, f"{name}: {got[:2]} and {want[:2]}")
        before = len(texts)
        b.execute_script("document.querySelector('#key input').click()")
        after = b.execute_script("return document.querySelectorAll('#curves .dot').length")
        check(after < before, f"{name}: a series that is hidden: {before} and {after} points")
        if name == "loads":
            b.execute_script("document.getElementById('log').click()")
            check(b.execute_script("return document.querySelectorAll('#curves .dot').length") == after, "logarithmic")
        said(b, name)
    open_page(b, "channels")
    b.execute_script("document.querySelector('#curves .dot').dispatchEvent(new MouseEvent('click'))")
    check(b.execute_script("return document.querySelectorAll('.heat rect').length") > 50, "the map of channels")
    said(b, "channels")


def test_accessible(b):
    script = axe_script()
    if not script:
        print("no axe-core: accessibility is left out")
        return
    for name in PAGES:
        if name in FEW:
            continue
        size(b, 1280)
        open_page(b, name)
        b.execute_script(script)
        result = b.execute_async_script("const done = arguments[0]; axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'best-practice']}).then(done, e => done({violations: [{id: String(e), nodes: []}]}))")
        found = [f"{v['id']}: {len(v['nodes'])}: {v['nodes'][0]['html'][:120] if v['nodes'] else ''}" for v in result["violations"]]
        check(not found, f"{name}: axe-core: {found}")


def test_without_script():
    options = Options()
    options.binary_location = CHROMIUM
    for word in ("--headless=new", "--no-sandbox", "--disable-gpu"):
        options.add_argument(word)
    options.add_experimental_option("prefs", {"profile.managed_default_content_settings.javascript": 2})
    b = webdriver.Chrome(service=Service(DRIVER), options=options)
    try:
        for name in ("transpose", "loads", "check"):
            size(b, 1280)
            open_page(b, name)
            shoot(b, name + "-plain", 1280)
            text = b.find_element("css selector", "body").text
            check("as printed" in text.lower() and len(b.find_elements("css selector", "main svg")) >= 1, f"{name} without script: {text[:80]}")
    finally:
        b.quit()


def test_all():
    write_pages()
    b = browser()
    try:
        for test in (test_widths, test_channels, test_messages, test_keys, test_computing, test_choice, test_points, test_accessible):
            test(b)
    finally:
        b.quit()
    b = browser(dark=True)
    try:
        size(b, 1280)
        for name in ("transpose", "loads"):
            open_page(b, name)
            ground = b.execute_script("return getComputedStyle(document.body).backgroundColor")
            check(ground == "rgb(13, 17, 23)", f"{name}, dark: {ground}")
            shoot(b, name + "-dark", 1280)
            said(b, name)
        script = axe_script()
        for name in ("otis", "all-to-all", "loads") if script else ():
            open_page(b, name)
            b.execute_script(script)
            result = b.execute_async_script("const done = arguments[0]; axe.run(document, {runOnly: {type: 'rule', values: ['color-contrast']}}).then(done, e => done({violations: [{nodes: [{html: String(e)}]}]}))")
            check(not result["violations"], f"{name}, dark: {[n['html'][:120] for v in result['violations'] for n in v['nodes']][:3]}")
    finally:
        b.quit()
    test_without_script()


main(test_all)
