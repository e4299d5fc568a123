#!/usr/bin/env python3
"""Tests of the `tawa` program: every command, its exit codes and its JSON, on the emulator.

usage: cli_test.py PATH_OF_TAWA FOLDER_OF_KERNELS
"""

import fcntl
import json
import os
import pty
import re
import sqlite3
import struct
import subprocess
import sys
import tempfile
import termios
import unittest
import xml.etree.ElementTree
from unittest import mock

TAWA = KERNELS = ""
GEMM_ARGS = ["--arg", "a=f16[{m},{k}]", "--arg", "b=f16[{n},{k}]", "--arg", "c=f16[{m},{n}]"]
GEMM_ARGS += ["--arg", "M={m}", "--arg", "N={n}", "--arg", "K={k}"]


def tawa(*arguments, stdin="", **variables):
    environment = {key: value for key, value in os.environ.items() if not key.startswith("TAWA_")}
    environment |= {"TAWA_CACHE": "off"} | variables  # results of an earlier run would hide failures
    return subprocess.run(
        [TAWA, *arguments], input=stdin, capture_output=True, text=True, env=environment, timeout=300, check=False
    )


def on_terminal(columns, *arguments):
    """The same on a terminal of so many columns: exit code, and what it was sent beside the result."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    environment = {key: value for key, value in os.environ.items() if not key.startswith("TAWA_")} | {"TAWA_CACHE": "off"}
    with subprocess.Popen([TAWA, *arguments], stdout=subprocess.DEVNULL, stderr=slave, env=environment) as process:
        os.close(slave)
        sent = b""
        try:
            while piece := os.read(master, 1 << 16):
                sent += piece
        except OSError:  # how a terminal without programs ends
            pass
    os.close(master)
    return process.returncode, sent.decode()


def kernel(name):
    return os.path.abspath(os.path.join(KERNELS, name))


def gemm_args(m, n, k):
    return [word.format(m=m, n=n, k=k) for word in GEMM_ARGS]


def run_gemm(m, n, k, *more):
    """gemm_tma_128.mlir has tiles of 128 x 128 and no grid directive."""
    tiles = -(-m // 128) * -(-n // 128)
    command = ["run", kernel("gemm_tma_128.mlir"), *gemm_args(m, n, k), "--grid", str(tiles), "--device", "emulator"]
    return tawa(*command, "--check", "gemm", *more)


class CommandLine(unittest.TestCase):
    def expect(self, result, code):
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result

    def test_help_lists_every_command(self):
        text = self.expect(tawa("--help"), 0).stdout
        commands = ("run", "compile", "info", "explain", "tune", "plan", "demo", "hardware", "cache", "warm", "env", "doctor")
        for command in commands:
            self.assertIn(command, text)
            details = self.expect(tawa(command, "--help"), 0).stdout
            self.assertIn("Examples:", details)

    def test_help_on_a_command_is_that_commands_help(self):
        self.assertEqual(self.expect(tawa("help", "run"), 0).stdout, tawa("run", "--help").stdout)
        self.assertEqual(self.expect(tawa("help"), 0).stdout, tawa("--help").stdout)
        self.assertIn("did you mean run?", self.expect(tawa("help", "runn"), 1).stderr)

    def test_misspelt_names_are_told_apart(self):
        for word, meant in (("expain", "explain"), ("hardwrae", "hardware"), ("doc", "doctor")):
            stderr = self.expect(tawa(word), 1).stderr
            self.assertIn(f"no command '{word}' (did you mean {meant}?)", stderr)
            self.assertLess(len(stderr.splitlines()), 4)
        self.assertNotIn("did you mean", tawa("zebra").stderr)
        stderr = self.expect(tawa("run", "k.mlir", "--devcie", "cuda:0"), 1).stderr
        self.assertIn("unknown option --devcie (did you mean --device?)", stderr)
        stderr = self.expect(tawa("cache", "lss"), 1).stderr
        self.assertIn("did you mean ls?", stderr)

    def test_usage_mistakes_exit_with_1(self):
        for words in ([], ["nonsense"], ["run"], ["run", "--nope"], ["info", "a", "b"], ["compile", "k", "--emit"]):
            self.expect(tawa(*words), 1)

    def test_info_lists_arguments(self):
        answer = json.loads(self.expect(tawa("info", kernel("gemm_tma_128.mlir"), "--json"), 0).stdout)
        self.assertEqual([a["name"] for a in answer["arguments"]], ["a", "b", "c", "M", "N", "K"])
        self.assertEqual([a["kind"] for a in answer["arguments"]], ["tensor"] * 3 + ["scalar"] * 3)
        text = self.expect(tawa("info", kernel("gemm_tma_128.mlir")), 0).stdout
        self.assertIn("0: a f16[?,?]", text)

    def test_hardware_prints_descriptions_and_checks_files(self):
        self.assertIn("h200", self.expect(tawa("hardware", "--list"), 0).stdout.splitlines())
        self.assertIn("h200", json.loads(self.expect(tawa("hardware", "--list", "--json"), 0).stdout))
        answer = json.loads(self.expect(tawa("hardware", "--name", "h200", "--json"), 0).stdout)
        self.assertEqual((answer["name"], answer["multiprocessors"]), ("h200", 132))
        self.assertEqual(answer["clock"], {"value": 1980, "unit": "MHz"})
        text = self.expect(tawa("hardware", "--name", "h200"), 0).stdout
        self.assertRegex(text, r"(?m)^multiprocessors +=\s132$")
        self.assertIn("h200", self.expect(tawa("hardware", "--device", "emulator"), 0).stdout)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "mine.hw")
            with open(path, "w", encoding="utf-8") as file:
                file.write("name = mine\nbase = h200\nclock = 1000 MHz\n")
            self.assertRegex(self.expect(tawa("hardware", "--check", path), 0).stdout, r"(?m)^clock +=\s1000 MHz$")
            self.assertIn("mine", tawa("hardware", "--list", TAWA_HARDWARE=folder).stdout)
            with open(path, "a", encoding="utf-8") as file:
                file.write("speed = 3\n")
            self.assertIn(f"{path}:4:1: ", self.expect(tawa("hardware", "--check", path), 2).stderr)
        self.assertIn("h100_sxm", self.expect(tawa("hardware", "--name", "nonsense"), 2).stderr)

    def test_plan_shows_machine_and_tile_program(self):
        names = self.expect(tawa("plan", "--list"), 0).stdout.splitlines()
        self.assertTrue({"wormhole_8x8", "ring_32", "h200"} <= set(names), names)
        command = ["plan", kernel("gemm_param.mlir"), *gemm_args(1000, 776, 264)]
        block = ["--config", "BLOCK_M=128 BLOCK_N=128 BLOCK_K=64"]
        text = self.expect(tawa(*command, "--machine", "wormhole_8x8", *block, "--explain"), 0).stdout
        self.assertIn("wormhole_8x8: 64 cores (x 8, y 8) at 1 GHz\n", text)
        self.assertIn("65.54 T/s in all", text)
        self.assertIn("network noc_h: 64 links", text)
        self.assertIn("m_tile in 0..8 n_tile in 0..7\n", text)
        self.assertIn("load a[128 * m_tile, 64 * k_tile], 128 x 64\n", text)
        self.assertRegex(text, r"(?m)^  1\*  +\d+ +- +\w+ +BLOCK_K=64 BLOCK_M=128 BLOCK_N=128 GROUP=8 +m_tile = ")
        self.assertRegex(text, r"(?m)^space: \d+ mappings, \d+ plans, \d+ of them estimated")
        answer = json.loads(self.expect(tawa(*command, "--machine", "ring_32", *block, "--top", "2", "--json"), 0).stdout)
        self.assertIn("m_tile in", answer["programs"][0]["text"])
        self.assertEqual((len(answer["plans"]), answer["machine"]["name"]), (2, "ring_32"))
        self.assertIn("wormhole_8x8", self.expect(tawa(*command, "--machine", "wormhole"), 2).stderr)
        self.expect(tawa(*command), 1)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "mine.mlir")
            with open(path, "w", encoding="utf-8") as file:
                file.write("df.machine @mine {clock = 0} {\n}\n")
            self.assertIn(f"{path}:1:1: error: 'df.machine' the clock is 0", self.expect(tawa(*command, "--machine", path), 2).stderr)

    def test_plan_simulates_and_draws(self):
        command = ["plan", kernel("gemm_param.mlir"), *gemm_args(1000, 776, 264), "--machine", "wormhole_4x8", "--top", "3"]
        command += ["--config", "BLOCK_M=128 BLOCK_N=128 BLOCK_K=64"]
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "plan.html")
            answer = json.loads(self.expect(tawa(*command, "--html", path, "--json"), 0).stdout)
            with open(path, encoding="utf-8") as file:
                page = file.read()
        cycles = [plan["simulated"]["cycles"] for plan in answer["plans"]]
        self.assertEqual(answer["chosen"], cycles.index(min(cycles)))
        self.assertEqual(answer["simulation"]["cycles"], min(cycles))
        links = [use for use in answer["simulation"]["resources"] if use["kind"] == "link"]
        self.assertEqual(page.count(" busy, "), len(links))
        chosen = answer["plans"][answer["chosen"]]
        self.assertEqual(page.count('marker-end="url(#tip)"'), sum(len(load["sends"]) for load in chosen["loads"]))
        self.assertNotRegex(page, r"<script|https?://")
        xml.etree.ElementTree.fromstring(page.split("\n", 1)[1].replace("&#8201;", " ").replace("<br>", "<br/>").replace('<meta charset="utf-8">', ""))
        text = self.expect(tawa(*command, "--simulate", "--explain"), 0).stdout
        self.assertIn(f"simulation: {min(cycles):.0f} cycles", text)
        self.assertRegex(text, r"(?m)^  reader  +\w+ \d")
        self.expect(tawa(*command[:-2], "--top", "0"), 2)

    def test_plan_names_what_is_not_affine(self):
        tensors = [f"{name}=f16[{size}]" for name, size in (("src_ptr", 2560), ("out_ptr", 1024), ("dst_ptr", 2560))]
        arguments = [word for text in (*tensors, "idx_ptr=i32[16]") for word in ("--arg", text)]
        result = tawa("plan", kernel("framework/desc_gather_rows.mlir"), *arguments, "--grid", "1", "--machine", "wormhole_8x8")
        self.assertIn("'tt.descriptor_gather' the address depends on data that the kernel loads", self.expect(result, 3).stderr)

    def test_a_target_is_compiled_for_as_its_description_says(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, change in {"small": "shared_per_block = 100 KiB", "turing": "architecture = sm_75", "later": "architecture = sm_100a"}.items():
                with open(os.path.join(folder, name + ".hw"), "w", encoding="utf-8") as file:
                    file.write(f"name = {name}\nbase = h200\n{change}\n")
            manifest = os.path.join(folder, "kernels.json")
            with open(manifest, "w", encoding="utf-8") as file:
                json.dump({"kernels": [{"text": kernel("vec_add.mlir")}]}, file)
            compile_command = ["compile", kernel("gemm_tma.mlir"), "--config", "D=4"]
            for name, architecture in (("turing", "sm_75"), ("later", "sm_100a")):
                for command in (compile_command, ["warm", manifest, "--cache", os.path.join(folder, "cache")]):
                    error = tawa(*command, "--target", name, TAWA_HARDWARE=folder)
                    self.assertNotEqual(error.returncode, 0, command)
                    self.assertIn(f"'{name}' is of architecture {architecture}, and this version makes code for sm_90a", error.stderr)
                    self.assertIn("tawa hardware --list", error.stderr)
            self.assertIn("a CTA has 102400", tawa(*compile_command, "--target", "small", TAWA_HARDWARE=folder).stderr)
            self.assertIn(".target sm_90a", self.expect(tawa(*compile_command, "--target", "h200", TAWA_HARDWARE=folder), 0).stdout)
            portable = [*compile_command[:2], "--target", "portable"]
            self.assertIn(".target sm_80", self.expect(tawa(*portable, TAWA_HARDWARE=folder), 0).stdout)
            self.assertIn(".target sm_80", self.expect(tawa(*compile_command[:2], TAWA_TARGET="portable"), 0).stdout)
            explained = self.expect(tawa("explain", *portable[1:], "--device", "emulator"), 0).stdout
            self.assertIn("the GPU has no TMA", explained)

    def test_files_that_cannot_be_read_are_named_with_the_reason(self):
        tune = ["tune", kernel("gemm_param.mlir"), *gemm_args(128, 128, 64), "--device", "emulator", "--configs"]
        commands = [[name] for name in ("info", "compile", "explain", "run", "tune", "demo", "warm")] + [tune]
        commands.append(["hardware", "--check"])
        with tempfile.TemporaryDirectory() as folder:
            empty = os.path.join(folder, "empty")
            with open(empty, "wb"):
                pass
            large = os.path.join(folder, "large")
            with open(large, "wb") as file:
                file.truncate(1 << 30)
            reasons = {folder: "is a folder", empty: "is empty", large: "larger than 64 MiB", "/dev/zero": "larger than 64 MiB"}
            reasons[os.path.join(folder, "nowhere")] = "there is no such file"
            for command in commands:
                for path, reason in reasons.items():
                    with self.subTest(command=command, path=path):
                        self.assertRegex(self.expect(tawa(*command, path), 2).stderr, f"{re.escape(path)}.*{reason}")
            self.assertIn("folder", json.loads(self.expect(tawa("info", folder, "--json"), 2).stdout)["message"])
            self.assertIn(folder, self.expect(tawa("compile", kernel("vec_add.mlir"), "-o", folder), 2).stderr)
        self.assertIn("standard input is empty", self.expect(tawa("info", "-"), 2).stderr)

    def test_progress_stays_within_the_terminals_line(self):
        command = ["tune", kernel("gemm_param.mlir"), *gemm_args(128, 128, 64), "--device", "emulator"]
        command += ["--try", "BLOCK_M=64 BLOCK_N=64 consumers=1"]
        for columns in (80, 100, 20):
            code, sent = on_terminal(columns, *command)
            self.assertEqual(code, 0, sent)
            lines = sent.split("\r\x1b[K")
            self.assertGreater(len(lines), 3, sent)
            self.assertLess(max(map(len, lines)), columns, sent)
        code, sent = on_terminal(80, *command, "--quiet")
        self.assertEqual((code, sent), (0, ""))

    def test_tune_prints_as_many_rows_as_asked_for(self):
        command = ["tune", kernel("gemm_param.mlir"), *gemm_args(8192, 8192, 1024), "--predict", "--hardware", "h200"]
        command += ["--device", "emulator"]
        answer = json.loads(self.expect(tawa(*command, "--json", "--rows", "3"), 0).stdout)
        self.assertEqual(len(answer["rows"]), 3)
        self.assertGreater(answer["legal"], 1000)
        self.assertIn("shared memory", [refused["rule"] for refused in answer["refused"]])
        self.assertEqual(len(json.loads(tawa(*command, "--json").stdout)["rows"]), 12)
        self.expect(tawa(*command, "--rows", "-1"), 1)

    def test_tune_tables_say_what_differs_from_the_default(self):
        command = ["tune", kernel("gemm_param.mlir"), *gemm_args(8192, 8192, 1024), "--predict", "--hardware", "h200"]
        text = self.expect(tawa(*command, "--device", "emulator", "--rows", "5"), 0).stdout
        self.assertRegex(text, r"(?m)^default +BLOCK_K=64 BLOCK_M=64 .* D=0 P=1 coarse=1 .*=\S+$")
        rows = re.findall(r"(?m)^ +[0-9.]+ +- +predicted +\w+ +(.*)$", text)
        self.assertEqual(len(rows), 5)
        for row in rows:
            self.assertNotIn("split=1", row)
            self.assertIn("persistent=1", row)

    def test_tune_predicts_without_a_gpu(self):
        command = ["tune", kernel("gemm_param.mlir"), *gemm_args(8192, 8192, 1024), "--predict", "--hardware", "h200"]
        answer = json.loads(self.expect(tawa(*command, "--device", "emulator", "--json", "--all"), 0).stdout)
        legal = [row for row in answer["rows"] if row["outcome"] == "predicted"]
        refused = [row for row in answer["rows"] if row["outcome"] == "refused"]
        self.assertGreater(len(legal), 1000)
        self.assertEqual(len(legal) + len(refused), len(answer["rows"]))
        self.assertEqual(answer["best"], legal[0]["config"])
        self.assertIn("persistent=1", answer["best"])
        for row in refused:
            self.assertTrue(row["rule"] and row["reason"], row)
        self.assertIn("bytes of shared memory, a CTA has 232448", str(refused))
        text = self.expect(tawa(*command, "--device", "emulator", "--rows", "3"), 0).stdout
        self.assertRegex(text, r"best +BLOCK_K=[^\n]*\n(?s:.*)refused: shared memory")
        self.expect(tawa("tune", kernel("gemm_param.mlir"), "--predict", "--device", "emulator"), 2)

    def test_tune_runs_candidates_in_a_worker(self):
        command = ["tune", kernel("gemm_param.mlir"), *gemm_args(128, 128, 64), "--hardware", "h200", "--device", "emulator"]
        command += ["--try", "BLOCK_M=128 BLOCK_N=128", "--try", "BLOCK_M=64 BLOCK_N=64 consumers=1", "--json"]
        for where in ([], ["--in-process"]):
            answer = json.loads(self.expect(tawa(*command, *where), 0).stdout)
            self.assertEqual([row["outcome"] for row in answer["rows"]], ["verified"] * 2)
            fastest = min((row for row in answer["rows"] if row["outcome"] == "verified"), key=lambda row: row["predicted_us"])
        self.assertEqual(answer["best"], fastest["config"])  # nothing was timed, so that the model decides
        result = self.expect(tawa(*command, "--worker", "/bin/false"), 2)
        self.assertIn("/bin/false exited with code 1", result.stdout)

    def test_texts_without_parameters_are_tuned_in_other_tile_sizes(self):
        text = kernel("gemm_tma.mlir")
        self.assertIn("BLOCK_M = 128 | 64 | 256", self.expect(tawa("info", text), 0).stdout)
        command = ["tune", text, *gemm_args(96, 3584, 14336), "--grid", "14", "--predict", "--hardware", "h200", "--json"]
        best = json.loads(self.expect(tawa(*command, "--device", "emulator"), 0).stdout)["best"]
        self.assertRegex(best, r"BLOCK_N=(64|128) ")  # 14 tiles of 256 columns would leave most multiprocessors idle
        command = [*gemm_args(144, 272, 144), "--grid", "4", "--device", "emulator"]
        sizes = "BLOCK_M=64 BLOCK_N=128 BLOCK_K=32 consumers=1"
        answer = json.loads(self.expect(tawa("tune", text, *command, "--hardware", "h200", "--try", sizes, "--json"), 0).stdout)
        self.assertEqual([row["outcome"] for row in answer["rows"]], ["verified"])
        self.expect(tawa("run", text, *command, "--config", sizes, "--check", "gemm"), 0)
        command[command.index("4")] = "9"  # that of the sizes in the configuration
        result = self.expect(tawa("run", text, *command, "--config", sizes, "--check", "gemm"), 2)
        self.assertIn("give the grid for the text as it is written", result.stdout + result.stderr)

    def test_sizes_that_were_chosen_do_not_stand_in_the_way_of_any_grid(self):
        text, command = kernel("gemm_tma.mlir"), [*gemm_args(144, 272, 144), "--grid", "4", "--device", "emulator"]
        with tempfile.TemporaryDirectory() as cache:
            kept = {"TAWA_CACHE": "on", "TAWA_CACHE_DIR": cache}
            sizes = "BLOCK_M=64 BLOCK_N=128 BLOCK_K=32 consumers=1"
            self.expect(tawa("tune", text, *command, "--try", sizes, **kept), 0)
            command[command.index("4")] = "9"
            run = self.expect(tawa("run", text, *command, "--check", "gemm", "--json", **kept), 0)
            self.assertIn("BLOCK_M=64", run.stdout)

    def test_a_texts_own_tile_sizes_change_nothing(self):
        command = ["compile", kernel("gemm_persistent.mlir"), "--emit=ptx", "--config"]
        own = tawa(*command, "D=3 BLOCK_M=128 BLOCK_N=256 BLOCK_K=64")
        self.assertEqual(self.expect(own, 0).stdout, self.expect(tawa(*command, "D=3"), 0).stdout)

    def test_explain_says_where_a_configuration_stands(self):
        command = ["explain", kernel("gemm_param.mlir"), *gemm_args(8192, 8192, 1024), "--device", "emulator", "--config"]
        text = self.expect(tawa(*command, "BLOCK_M=128 BLOCK_N=256 D=4 persistent=1"), 0).stdout
        self.assertRegex(text, r"why +predicted [0-9.]+ us, bound by \w+: number \d+ of \d+ to the model")
        self.assertRegex(text, r"model +[0-9.]+ us  (BLOCK_M=|GROUP=|\(this one\))")  # what differs, and no more
        self.assertRegex(text, r"\d+ by shared memory, e.g. .*D=10.*:\n +\d+ slots of \d+ bytes")
        choice = text[text.index("\nwhy ") :]
        self.assertNotIn("split=1", choice)
        self.assertLess(max(map(len, choice.splitlines())), 140)
        text = self.expect(tawa(*command, "BLOCK_M=64 BLOCK_N=64 D=2 P=2 consumers=2"), 0).stdout
        self.assertIn("refused by the rules (rows): a product of 64 rows", text)
        text = self.expect(tawa(*command, "BLOCK_M=128 BLOCK_N=256 D=1 persistent=1"), 0).stdout
        self.assertRegex(text, r"number \d+ of \d+ to the model; a search does not list it")
        text = self.expect(tawa("explain", kernel("gemm_param.mlir"), "--device", "emulator"), 0).stdout
        self.assertNotIn("bound by", text)

    def test_explain_says_so_in_json_too(self):
        command = ["explain", kernel("gemm_param.mlir"), *gemm_args(8192, 8192, 1024), "--device", "emulator", "--json", "--config"]
        choice = json.loads(self.expect(tawa(*command, "BLOCK_M=128 BLOCK_N=256 D=4 persistent=1"), 0).stdout)["choice"]
        self.assertTrue(choice["is_searched"])
        self.assertEqual((choice["outcome"], choice["tried"]), ("predicted", []))
        self.assertGreater(choice["place_to_the_model"], 0)
        self.assertLessEqual(choice["place_to_the_model"], choice["legal"])
        self.assertLessEqual(choice["model"][0]["predicted_us"], choice["predicted_us"])
        rules = {refused["rule"]: refused for refused in choice["refused"]}
        self.assertRegex(rules["shared memory"]["reason"], r"\d+ slots of \d+ bytes")
        choice = json.loads(self.expect(tawa(*command, "BLOCK_M=64 BLOCK_N=64 D=2 P=2 consumers=2"), 0).stdout)["choice"]
        self.assertEqual((choice["is_searched"], choice["outcome"], choice["rule"]), (False, "refused", "rows"))
        nothing = self.expect(tawa("explain", kernel("gemm_param.mlir"), "--device", "emulator", "--json"), 0).stdout
        self.assertNotIn("choice", json.loads(nothing))

    def test_broken_text_names_file_line_and_column(self):
        with open(kernel("gemm_tma_128.mlir"), encoding="utf-8") as file:
            text = file.read().replace("tt.get_program_id", "tt.get_programm_id", 1)
        line = text[: text.index("tt.get_programm_id")].count("\n") + 1
        result = self.expect(tawa("compile", "-", stdin=text), 2)
        self.assertRegex(result.stderr, rf"<stdin>:{line}:\d+")
        failure = json.loads(self.expect(tawa("compile", "-", "--json", "-o", os.devnull, stdin=text), 2).stdout)
        self.assertIsInstance(failure, dict)

    def test_missing_file_and_missing_arguments_exit_with_2(self):
        self.expect(tawa("info", "/nonexistent.mlir"), 2)
        result = tawa("run", kernel("gemm_tma_128.mlir"), "--arg", "a=f16[128,64]", "--device", "emulator")
        for wanted in ("b=f16[SIZE,SIZE]", "c=f16[SIZE,SIZE]", "M=NUMBER (i32)", "N=NUMBER", "K=NUMBER"):
            self.assertIn(f"--arg {wanted}", self.expect(result, 2).stderr)
        self.assertNotIn("--arg a=", result.stderr)
        open_sizes = gemm_args(128, 128, 64) + ["--arg", "b=f16[?,?]", "--grid", "1"]  # as tawa info prints it
        result = tawa("run", kernel("gemm_tma_128.mlir"), *open_sizes, "--device", "emulator")
        self.assertIn("--arg b=f16[SIZE,SIZE]", self.expect(result, 2).stderr)
        facts = ["compile", kernel("gemm_tma_128.mlir"), "--emit=ptx"]
        left_out = self.expect(tawa(*facts), 0).stdout
        self.assertEqual(self.expect(tawa(*facts, "--arg", "a=f16[?,?]"), 0).stdout, left_out)
        result = tawa("run", kernel("gemm_tma_128.mlir"), *gemm_args(128, 128, 64), "--device", "emulator")
        self.assertIn("--grid", self.expect(result, 2).stderr)
        result = tawa("run", kernel("gemm_tma_128.mlir"), *gemm_args(128, 128, 64), "--arg", "L=3", "--grid", "1")
        self.assertIn("no argument 'L'", self.expect(result, 2).stderr)

    def test_compile_prints_every_stage(self):
        marks = {"ttir": "tt.dot", "tawa": "tawa.", "sm90": "sm90.", "llvm": "define", "ptx": ".target sm_90a"}
        for stage, mark in marks.items():
            result = self.expect(tawa("compile", kernel("gemm_tma_128.mlir"), f"--emit={stage}"), 0)
            self.assertIn(mark, result.stdout)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "kernel.o")
            self.expect(tawa("compile", kernel("gemm_tma_128.mlir"), "--emit=object", "-o", path), 0)
            with open(path, "rb") as file:
                self.assertEqual(file.read(4), b"\x7fELF")

    def test_same_text_twice_gives_the_same_ptx(self):
        first, second = (tawa("compile", kernel("gemm_tma_128.mlir"), "--emit=ptx").stdout for _ in range(2))
        self.assertTrue(first)
        self.assertEqual(first, second)

    def test_run_checks_a_gemm_whose_sizes_are_no_multiples_of_the_tile(self):
        # gemm_param.mlir has a grid directive and promises nothing about its sizes.
        command = ["run", kernel("gemm_param.mlir"), *gemm_args(200, 136, 72), "--device", "emulator", "--check", "gemm"]
        result = tawa(*command, "--config", "BLOCK_M=128 BLOCK_N=128 D=2", "--json")
        answer = json.loads(self.expect(result, 0).stdout)
        self.assertTrue(answer["check"]["passed"])
        self.assertEqual(answer["check"]["compared"], 200 * 136)
        self.assertLess(answer["check"]["relative_error"], 1e-3)

    def test_rows_that_tma_cannot_take_are_run_tuned_and_predicted(self):
        # Rows of 61 and 75 f16 numbers are no multiples of 16 bytes apart.
        sizes = gemm_args(70, 75, 61)
        answer = json.loads(self.expect(run_gemm(128, 128, 61, "--json"), 0).stdout)
        self.assertTrue(answer["check"]["passed"])
        tune = ["tune", kernel("gemm_param.mlir"), *sizes, "--hardware", "h200", "--json"]
        predicted = json.loads(self.expect(tawa(*tune, "--predict"), 0).stdout)
        self.assertTrue(predicted["best"])
        tile = "BLOCK_M=64 BLOCK_N=64 BLOCK_K=32"
        tries = [f"{tile} consumers=1 D=2", f"{tile} consumers=1 D=3 P=2", f"{tile} consumers=0"]
        tune += ["--device", "emulator", *(word for each in tries for word in ("--try", each))]
        tried = json.loads(self.expect(tawa(*tune), 0).stdout)
        self.assertIn("BLOCK_K=32", tried["best"])
        explained = self.expect(tawa("explain", kernel("gemm_param.mlir"), *sizes, "--config", tries[0]), 0).stdout
        self.assertIn("producer", explained)

    def test_arguments_that_do_not_fit_the_text_exit_with_2(self):
        command = ["run", kernel("gemm_tma_128.mlir"), *gemm_args(128, 128, 64), "--grid", "1", "--device", "emulator"]
        for wrong, reason in (("a=f16[2,64,64]", "rank"), ("a=f32[128,64]", "f32")):
            self.assertIn(reason, self.expect(tawa(*command, "--arg", wrong), 2).stderr)

    def test_run_repeats_to_the_bit(self):
        text = self.expect(run_gemm(128, 128, 128, "--repeat", "2", "--schedule", "late-random:5"), 0).stdout
        self.assertIn("equal to the bit", text)

    def test_quiet_leaves_remarks_out(self):
        command = ["run", kernel("softmax_rows.mlir"), "--grid", "4", "--device", "emulator", "--config", "schedule=pingpong"]
        command += ["--arg", "x=f16[4,1008]", "--arg", "y=f16[4,1008]", "--arg", "stride=1008", "--arg", "cols=1008"]
        loud, quiet = self.expect(tawa(*command), 0), self.expect(tawa(*command, "--quiet"), 0)
        self.assertIn("remark: schedule is not applied", loud.stderr)
        self.assertEqual(quiet.stderr, "")
        self.assertIn("output ", quiet.stdout)

    def test_a_wrong_result_exits_with_6(self):
        command = ["run", kernel("gemm_tma_128.mlir"), *gemm_args(128, 256, 64), "--device", "emulator"]
        result = tawa(*command, "--grid", "1", "--check", "gemm")  # one of two tiles computed
        self.assertIn("FAILED", self.expect(result, 6).stdout)

    def test_a_check_that_compares_nothing_fails(self):
        command = ["run", kernel("framework/pw_embedding_gradient.mlir"), "--device", "emulator", "--grid", "16,2,1", "--check", "reference"]
        arguments = lambda output: [word for each in ("i64[16]=0..5", "bf16[16,2048]", output, "i32:2048") for word in ("--arg", each)]
        self.assertIn("nothing could be compared", self.expect(tawa(*command, *arguments("f32[5,2048]")), 6).stdout)
        self.expect(tawa(*command, *arguments("f32[5,2048]=0..1")), 0)

    def test_unknown_configuration_key_exits_with_2(self):
        result = tawa("explain", kernel("gemm_tma_128.mlir"), "--config", "NONSENSE=1", "--device", "emulator")
        self.assertIn("NONSENSE", self.expect(result, 2).stderr)

    def test_explain_says_what_was_decided(self):
        command = ["explain", kernel("gemm_tma_128.mlir"), "--device", "emulator", "--json", "--config", "D=3 P=2"]
        decided = json.loads(self.expect(tawa(*command), 0).stdout)["kernel"]
        self.assertEqual((decided["ring_depth"], decided["mma_depth"]), (3, 2))
        self.assertGreaterEqual(len(decided["roles"]), 2)
        self.assertGreater(decided["shared_bytes"], 0)

    def test_demo_prints_the_whole_story(self):
        command = ["demo", kernel("gemm_tma_128.mlir"), "--size", "256,128,192", "--grid", "2", "--device", "emulator"]
        text = self.expect(tawa(*command), 0).stdout
        for word in ("compiled", "depths", "roles", "rings", "CTA", "registers", "checked", "PASSED", "speed"):
            self.assertIn(word, text)

    def test_demo_refuses_a_kernel_that_is_no_gemm(self):
        self.expect(tawa("demo", kernel("vec_add.mlir"), "--device", "emulator"), 2)

    def test_no_such_device_exits_with_4(self):
        self.expect(tawa("explain", kernel("gemm_tma_128.mlir"), "--device", "cuda:99"), 4)

    def test_device_comes_from_the_environment_unless_given(self):
        words = ["explain", kernel("gemm_tma_128.mlir")]
        self.expect(tawa(*words, TAWA_DEVICE="cuda:99"), 4)
        self.expect(tawa(*words, "--device", "emulator", TAWA_DEVICE="cuda:99"), 0)

    def test_doctor_names_unknown_variables(self):
        result = self.expect(tawa("doctor", "--json", TAWA_DEVICE="emulator", TAWA_NONSENSE="1"), 2)
        self.assertIn("TAWA_NONSENSE", json.loads(result.stdout)["problems"][0])

    def test_env_and_doctor(self):
        self.assertIn("TAWA_DEVICE", self.expect(tawa("env"), 0).stdout)
        answer = json.loads(self.expect(tawa("doctor", "--json"), 0).stdout)
        self.assertEqual(answer["problems"], [])
        self.assertTrue(answer["emulator"]["available"])
        self.assertTrue(answer["emulator"]["description"].startswith("emulator"))
        self.assertRegex(answer["build"]["llvm"], r"^\d+\.")

    def test_env_says_defaults_and_meanings_in_json_too(self):
        variables = json.loads(self.expect(tawa("env", "--json", TAWA_DEVICE="emulator"), 0).stdout)["variables"]
        device, = [variable for variable in variables if variable["name"] == "TAWA_DEVICE"]
        self.assertEqual((device["default"], device["value"]), ("auto", "emulator"))
        self.assertEqual([variable for variable in variables if not variable["default"] or not variable["meaning"]], [])
        text = tawa("env").stdout
        self.assertEqual([line.split()[0] for line in text.splitlines() if "default:" in line], [v["name"] for v in variables])

    def test_doctor_looks_at_the_cache_and_at_programs(self):
        with tempfile.TemporaryDirectory() as folder:
            cache, driver = os.path.join(folder, "cache"), os.path.join(folder, "driver")
            variables = {"TAWA_CACHE": "on", "TAWA_CACHE_DIR": cache, "CUDA_CACHE_PATH": driver, "TAWA_DEVICE": "emulator"}
            answer = json.loads(self.expect(tawa("doctor", "--json", **variables), 0).stdout)
            self.assertEqual(answer["cache"], {"folder": cache, "exists": False, "writable": True, "mode": "", "bytes": 0})
            os.mkdir(cache, 0o700)
            os.mkdir(driver)
            with open(os.path.join(driver, "kernel"), "wb") as file:
                file.write(bytes(1000))
            ptxas = os.path.join(folder, "ptxas")
            with open(ptxas, "wb") as file:
                os.fchmod(file.fileno(), 0o755)
            answer = json.loads(self.expect(tawa("doctor", "--json", **variables, PATH=folder), 0).stdout)
            self.assertEqual((answer["cache"]["exists"], answer["cache"]["mode"]), (True, "0700"))
            self.assertEqual((answer["driver_cache"]["folder"], answer["driver_cache"]["bytes"]), (driver, 1000))
            self.assertEqual((answer["ptxas"], answer["worker"]), (ptxas, os.path.realpath(TAWA)))
            text = self.expect(tawa("doctor", **variables, TAWA_WORKER="/nonexistent"), 2).stdout
            self.assertIn("TAWA_WORKER: /nonexistent is no program", text)
            self.assertIn(f"{cache}: 0.0 MB, mode 0700", text)
            text = self.expect(tawa("doctor", **(variables | {"TAWA_CACHE_DIR": f"{ptxas}/cache"})), 2).stdout
            self.assertIn(f"nothing can be kept: {ptxas} is no folder that this user may write to", text)


class Cache(unittest.TestCase):
    """`tawa cache` and `tawa warm`, in a cache of their own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.cache = os.path.join(self.folder, "cache")

    def tawa(self, *arguments, code=0, **variables):
        result = tawa(*arguments, **({"TAWA_CACHE": "on", "TAWA_CACHE_DIR": self.cache} | variables))
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result

    def ask(self, *arguments, **variables):
        return json.loads(self.tawa(*arguments, "--json", **variables).stdout)

    def manifest(self, **changes):
        path = os.path.join(self.folder, "manifest.json")
        gemm = {"text": kernel("gemm_tma_128.mlir"), "args": ["a=f16[256,64]"], "configs": ["D=2 P=1", "D=3 P=1"]}
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"kernels": [gemm | changes, {"text": kernel("vec_add.mlir")}]}, file)
        return path

    def test_a_second_process_compiles_nothing(self):
        command = ("explain", kernel("gemm_tma_128.mlir"), "--device", "emulator")
        self.assertIn("kernel: the cache has no compile entry at all", self.tawa(*command).stdout)
        self.assertRegex(self.tawa(*command).stdout, r"ms  cache")
        self.tawa(*command, TAWA_FROZEN="on")
        missed = self.tawa(*command, "--config", "D=2", code=5, TAWA_FROZEN="on")
        self.assertRegex(missed.stderr, r"config: .*D=2 .* here, .*D=0 .* there")

    def test_warm_needs_no_gpu_and_is_found_by_the_target(self):
        answer = self.ask("warm", self.manifest(), "--target", "h200")
        self.assertEqual(answer, {"compiled": 3, "there": 0, "failed": 0})
        answer = self.ask("warm", self.manifest(), "--target", "h100_sxm")  # the same code
        self.assertEqual(answer, {"compiled": 0, "there": 3, "failed": 0})
        self.assertEqual(self.ask("warm", self.manifest(), "--target", "emulator")["compiled"], 3)
        self.assertEqual(self.ask("cache", "stats")["compile"]["entries"], 6)
        run = ("explain", kernel("gemm_tma_128.mlir"), "--device", "emulator", "--config", "D=3 P=1")
        self.assertIn("cache", self.tawa(*run, *gemm_args(256, 256, 64), TAWA_FROZEN="on").stdout)
        self.assertEqual(self.tawa("warm", self.manifest()).stderr, "")  # a bar is for terminals only

    def test_what_was_tuned_is_explained_and_not_tried_again(self):
        gemm = [kernel("gemm_param.mlir"), *gemm_args(128, 128, 64), "--device", "emulator"]
        self.assertIn("configuration: the cache has no tune entry at all", self.tawa("explain", *gemm).stdout)
        command = ["tune", *gemm, "--try", "consumers=1 D=2", "--try", "consumers=1 D=3", "--try", "consumers=3"]
        rows = self.ask(*command)["rows"]
        self.assertEqual([row["outcome"] for row in rows], ["verified", "verified", "refused"])
        self.assertTrue(all(row.get("from_cache") for row in self.ask(*command)["rows"][:2]))
        text = self.tawa("explain", *gemm, TAWA_FROZEN="on").stdout
        self.assertRegex(text, r"D=\d .*\n +\(verified\)")
        self.assertRegex(text, r"tried +verified +\S+=")
        answer = self.ask("explain", *gemm)
        self.assertEqual([row["outcome"] for row in answer["choice"]["tried"]], ["verified"])
        self.assertTrue(answer["choice"]["from_cache"])
        self.assertNotIn("not_cached", answer)
        self.assertNotIn("not cached", text)
        missed = self.tawa("explain", kernel("gemm_param.mlir"), *gemm_args(128, 128, 128), "--device", "emulator").stdout
        missed_json = self.ask("explain", kernel("gemm_param.mlir"), *gemm_args(128, 128, 192), "--device", "emulator")
        self.assertIn("argument.0: f16 shape 128 192", missed_json["not_cached"])
        self.assertRegex(missed, r"argument.0: f16 shape 128 128 .* here, f16 shape 128 64 .* there")

    def test_a_size_left_open_in_a_manifest_is_found_by_the_same_facts(self):
        manifest = self.manifest(args=["a=f16[?,64]", "K=const:64"], configs=["D=2 P=1"])
        self.assertEqual(self.ask("warm", manifest, "--target", "emulator")["compiled"], 2)
        explain = ["explain", kernel("gemm_tma_128.mlir"), "--device", "emulator", "--config", "D=2 P=1"]
        facts = ["--arg", "a=f16[?,64]", "--arg", "K=const:64"]
        self.assertRegex(self.tawa(*explain, *facts, TAWA_FROZEN="on").stdout, r"ms  cache")
        self.tawa(*explain, *facts[:2], code=5, TAWA_FROZEN="on")

    def test_the_policy_comes_from_the_environment(self):
        command = ["explain", kernel("gemm_param.mlir"), *gemm_args(128, 128, 64), "--device", "emulator"]
        self.assertIn("(default)", self.tawa(*command, TAWA_POLICY="never").stdout)
        for policy in ({}, {"TAWA_POLICY": "cached"}, {"TAWA_POLICY": "predicted"}):
            self.assertRegex(self.tawa(*command, **policy).stdout, r"BLOCK_M=8 .*\n +\(predicted\)")  # not the first, 64
        self.assertIn("must be never, cached", self.tawa(*command, code=2, TAWA_POLICY="often").stderr)

    def test_the_models_choice_is_kept_where_there_is_no_gpu(self):
        args = [word for word in gemm_args(4096, 4096, 1024) if word != "--arg"]
        manifest = self.manifest(text=kernel("gemm_param.mlir"), args=args, configs=[])
        self.assertEqual(self.ask("warm", manifest, "--target", "h200"), {"compiled": 2, "there": 0, "failed": 0})
        kept = self.ask("cache", "ls", "--kind", "tune")
        self.assertEqual(len(kept), 1)
        self.assertRegex(kept[0]["summary"], r"persistent=1.* predicted [0-9.]+ us")
        self.assertEqual(self.ask("warm", manifest, "--target", "h200"), {"compiled": 0, "there": 2, "failed": 0})

    def test_sizes_within_an_eighth_share_the_models_choice(self):
        explain = lambda rows: self.tawa("explain", kernel("gemm_param.mlir"), *gemm_args(rows, 512, 256), "--device", "emulator", TAWA_POLICY="predicted").stdout
        config = lambda text: re.search(r"config +(.*)", text)[1]
        first, near, far = explain(1153), explain(1280), explain(1281)
        self.assertEqual(config(first), config(near))
        self.assertEqual(len(self.ask("cache", "ls", "--kind", "tune")), 2)  # 1153 and 1281; of 1280 nothing was asked
        self.assertIn("(predicted)", far)

    def test_sizes_that_need_another_round_are_asked_about(self):
        explain = lambda rows: self.tawa("explain", kernel("gemm_param.mlir"), *gemm_args(rows, 1496, 5704), "--target", "h200", TAWA_POLICY="predicted").stdout
        seconds = lambda text: [float(re.search(name + r" +(?:predicted )?([0-9.]+) us", text)[1]) for name in ("why", "model")]
        for rows in (1177, 1270, 1200):  # 120 tiles of 120 x 128, as many as multiprocessors in clusters; 132; 120
            chosen, best = seconds(explain(rows))
            self.assertLess(chosen, 1.1 * best)
        self.assertEqual(len(self.ask("cache", "ls", "--kind", "tune")), 2)  # of 1177 and 1270

    def test_a_grid_for_a_texts_first_tile_sizes_covers_all_in_others(self):
        command = ["run", kernel("gemm_param.mlir"), *gemm_args(128, 128, 64), "--device", "emulator", "--check", "gemm"]
        self.assertRegex(self.tawa("explain", *command[1:-2]).stdout, "config .*BLOCK_M=8 ")  # not the first, 64
        self.assertIn("PASSED", self.tawa(*command).stdout)
        self.assertIn("PASSED", self.tawa(*command, "--grid", "4").stdout)  # of tiles of 64 x 64
        self.assertIn("FAILED", self.tawa(*command, "--grid", "3", code=6).stdout)  # which leaves one of these out

    def test_what_the_model_counts_too_little_of_has_fewer_slots(self):
        sizes = {"q": "f16[128,3856,128]", "k": "f16[128,3856,128]", "v": "f16[128,3856,128]", "do": "f16[128,3856,128]", "dq": "f32[128,3856,128]",
                 "dk": "f16[128,3856,128]", "dv": "f16[128,3856,128]", "lse": "f32[128,3856]", "delta": "f32[128,3856]", "scale": "0.08", "L": "3856", "S": "3856"}
        args = [word for name, value in sizes.items() for word in ("--arg", f"{name}={value}")]
        for policy in ("cached", "predicted"):
            made = self.tawa("explain", kernel("attention/backward.mlir"), *args, "--config", "HEAD_DIM=128 CAUSAL=1", "--target", "h200", TAWA_POLICY=policy).stdout
            self.assertRegex(made, r"roles +producer")

    def test_a_choice_that_is_refused_gives_way_to_the_next(self):
        # Made for a GPU with more shared memory than the emulated one has.
        large = re.sub(r"22([78]) KiB", r"42\1 KiB", tawa("hardware", "--name", "h200").stdout).replace("h200", "large")
        with open(os.path.join(self.folder, "large.hw"), "w", encoding="utf-8") as file:
            file.write(large)
        command = ["run", kernel("gemm_param.mlir"), *gemm_args(512, 512, 4096), "--target", "large", "--check", "gemm"]
        variables = {"TAWA_HARDWARE": self.folder, "TAWA_LOG": "info"}
        named = self.tawa(*command, "--config", "BLOCK_K=128 D=10", code=3, **variables)
        self.assertIn("choose a smaller tile or D", named.stderr)
        first = self.tawa(*command, TAWA_POLICY="predicted", **variables)
        self.assertIn("refused: BLOCK_K=128", first.stderr)
        self.assertIn("PASSED", first.stdout)
        second = self.tawa(*command, TAWA_POLICY="predicted", **variables)
        self.assertNotIn("refused", second.stderr)
        self.assertIn("PASSED", second.stdout)

    def test_warm_says_what_is_wrong(self):
        self.assertIn("nonsense", self.tawa("warm", self.manifest(), "--target", "nonsense", code=2).stderr)
        self.assertIn("'zz'", self.tawa("warm", self.manifest(args=["zz=3"]), code=2).stderr)
        self.assertIn("strings", self.tawa("warm", self.manifest(configs=[3]), code=2).stderr)
        misspelt = self.tawa("warm", self.manifest(config=["D=2"]), code=2).stderr
        self.assertIn("no member 'config' (did you mean configs?)", misspelt)
        self.tawa("warm", self.manifest(configs=["D=99"]), code=2)
        with open(self.manifest(), "a", encoding="utf-8") as file:
            file.write("}")
        self.assertRegex(self.tawa("warm", file.name, code=2).stderr, r"manifest.json:1:\d+: something follows")
        self.tawa("warm", self.manifest(), code=7, TAWA_CACHE="off")

    def test_ls_and_show(self):
        self.tawa("warm", self.manifest(), "--target", "h200")
        entries = self.ask("cache", "ls", "--kind", "compile")
        self.assertEqual(len(entries), 3)
        self.assertEqual(sum("D=2 P=1" in entry["summary"] for entry in entries), 1)
        shown = self.ask("cache", "show", entries[0]["hash"][:12])
        self.assertEqual(len(shown), 1)
        self.assertTrue(shown[0]["key"].startswith("tawa compile "))
        self.assertIn("tt.func", shown[0]["key"])
        self.assertEqual(self.ask("cache", "ls", "--kind", "tune"), [])
        self.tawa("cache", "show", "zzzz", code=5)
        self.assertEqual(len(self.ask("cache", "ls", "--kind", "preset")), 1)  # one kernel was given no configuration
        self.assertEqual(len(self.tawa("cache", "ls").stdout.splitlines()), 4)
        for words in (["cache"], ["cache", "nonsense"], ["cache", "show"], ["cache", "ls", "--kind", "x"]):
            self.tawa(*words, code=1)

    def test_plans_are_kept_listed_and_removed(self):
        command = ["plan", kernel("gemm_param.mlir"), *gemm_args(512, 512, 128), "--machine", "torus_4x4"]
        command += ["--config", "BLOCK_M=64 BLOCK_N=64 BLOCK_K=64"]
        first, second = self.ask(*command), self.ask(*command)
        self.assertEqual([first.pop("answer")["from_cache"], second.pop("answer")["from_cache"]], [0, 1])
        self.assertEqual(first, second)
        self.assertRegex(self.tawa(*command, "--explain").stdout, r"\nanswer: from the cache in 0\.\d{3} s\n$")
        self.assertRegex(self.tawa(*command, "--explain", TAWA_CACHE="off").stdout, r"\nanswer: planned in \d+\.\d{3} s\n$")
        entry, = self.ask("cache", "ls", "--kind", "plan")
        self.assertTrue(entry["summary"].startswith("gemm_param on torus_4x4: "), entry)
        self.assertRegex(self.tawa("cache", "ls").stdout, r"^plan    [0-9a-f]{32}  ")
        shown = self.ask("cache", "show", entry["hash"])[0]["key"]
        for part in ("argument.0 f16 shape 512 128 ", "\ntop 5\n", "df.machine @torus_4x4", "tt.func"):
            self.assertIn(part, shown)
        self.assertEqual(self.ask("cache", "stats")["plan"]["entries"], 1)
        with sqlite3.connect(os.path.join(self.cache, "tawa-1.sqlite")) as file:
            file.execute("UPDATE row SET payload = x'00'")
        file.close()
        again = self.tawa(*command, "--json")
        self.assertRegex(again.stderr, r"warning: .*plan row [0-9a-f]{32}: its checksum does not match; it was removed")
        self.assertEqual(json.loads(again.stdout)["answer"]["from_cache"], 0)
        self.assertEqual(self.ask(*command)["answer"]["from_cache"], 1)
        self.assertEqual(self.ask("cache", "prune", "--max-size", "1K"), {"removed": 1})
        self.assertEqual(self.ask(*command)["answer"]["from_cache"], 0)

    def test_a_cache_that_is_not_there_yet_is_empty(self):
        self.assertEqual(self.ask("cache", "ls"), [])
        self.assertIn("there is no cache at", self.tawa("cache", "ls").stderr)
        self.assertEqual(self.tawa("cache", "ls", "--cache", os.path.join(self.folder, "nowhere")).stdout, "")
        self.assertEqual(self.ask("cache", "stats")["compile"]["entries"], 0)
        self.assertFalse(os.path.exists(self.cache))
        os.mkdir(self.cache)
        self.assertEqual(self.ask("cache", "ls"), [])
        self.tawa("cache", "ls", code=7, TAWA_CACHE="off")

    def test_verify_finds_and_removes_bad_entries(self):
        self.tawa("warm", self.manifest(), "--target", "h200")
        self.assertEqual(self.ask("cache", "verify"), {"bad": 0})
        with sqlite3.connect(os.path.join(self.cache, "tawa-1.sqlite")) as file:
            file.execute("UPDATE row SET payload = x'00' WHERE rowid = 1")
        file.close()
        self.assertEqual(json.loads(self.tawa("cache", "verify", "--json", code=6).stdout), {"bad": 1})
        self.assertIn("BAD: its checksum", self.tawa("cache", "verify", code=6).stdout)
        self.assertEqual(self.ask("cache", "stats")["compile"]["bad"], 1)
        self.assertIn("BAD: its checksum", self.tawa("cache", "ls").stdout)
        self.assertEqual(self.ask("cache", "verify", "--repair"), {"removed": 1})
        self.assertEqual(self.ask("cache", "verify"), {"bad": 0})
        self.assertEqual(self.ask("cache", "stats")["compile"], {"entries": 2, "bytes": mock.ANY, "bad": 0})

    def test_prune_by_age_and_size(self):
        self.tawa("warm", self.manifest(), "--target", "h200")
        self.assertEqual(self.ask("cache", "prune", "--days", "1"), {"removed": 0})
        with sqlite3.connect(os.path.join(self.cache, "tawa-1.sqlite")) as file:
            file.execute("UPDATE row SET used = used - 200000 WHERE rowid = 1")
        file.close()
        self.assertEqual(self.ask("cache", "prune", "--days", "1"), {"removed": 1})
        self.assertEqual(self.ask("cache", "prune", "--max-size", "1K"), {"removed": 3})
        self.tawa("cache", "prune", code=1)
        self.tawa("cache", "prune", "--max-size", "1X", code=1)

    def test_a_sealed_cache_serves_where_nothing_can_be_written(self):
        self.tawa("warm", self.manifest(), "--target", "emulator")
        sealed = os.path.join(self.folder, "kernels.tawa")
        self.assertEqual(self.ask("cache", "seal", sealed), {"copied": 4})
        self.assertEqual(os.stat(sealed).st_mode & 0o777, 0o444)
        self.tawa("cache", "seal", sealed, code=7)  # nothing is overwritten
        command = ["explain", kernel("gemm_tma_128.mlir"), "--device", "emulator", "--config", "D=2 P=1"]
        empty = os.path.join(self.folder, "empty")
        below = {"TAWA_CACHE_DIR": empty, "TAWA_CACHE_READONLY": sealed, "TAWA_FROZEN": "on"}
        self.assertRegex(self.tawa(*command, **below).stdout, r"ms  cache")
        self.tawa(*command, code=5, TAWA_CACHE_DIR=empty, TAWA_FROZEN="on")
        self.tawa(*command, TAWA_CACHE="off", TAWA_CACHE_READONLY=sealed, TAWA_FROZEN="on")

    def test_export_import_and_merge(self):
        self.tawa("warm", self.manifest(), "--target", "h200")
        file = os.path.join(self.folder, "some.tawa")
        self.assertEqual(self.ask("cache", "export", file, "--kind", "compile"), {"copied": 3})
        self.assertEqual(self.ask("cache", "import", file), {"copied": 0})  # all of it is there
        other = os.path.join(self.folder, "other")
        self.assertEqual(self.ask("cache", "import", file, "--cache", other), {"copied": 3})
        third = os.path.join(self.folder, "third")
        self.tawa("warm", self.manifest(configs=["D=1 P=1"]), "--target", "h200", "--cache", third)
        self.assertEqual(self.ask("cache", "merge", other, third, "--cache", self.cache), {"copied": 1})
        self.assertEqual(self.ask("cache", "verify"), {"bad": 0})
        self.assertEqual(self.ask("cache", "stats")["compile"]["entries"], 4)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    TAWA, KERNELS = sys.argv[1:3]
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=2)
