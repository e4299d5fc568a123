# The lit suite: FileCheck tests of dialects and passes. Folders mirror compiler/; the tool under test is tawa-opt.
# %kernels stands for the folder of kernels that Triton printed.
import os

import lit.formats

config.name = "tawa"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = config.tawa_lit_binary

config.environment["PATH"] = os.pathsep.join(
    [os.path.dirname(config.tawa_opt), config.llvm_tools, config.environment.get("PATH", "")]
)
config.substitutions.append(("%kernels", os.path.join(config.tawa_source, "tests", "kernels")))
