/* The program in which candidates of a search run, so that their faults end this and not the interpreter: what the
 * program `tawa` does in an installation without Python. Its two descriptors are stdin and stdout. */
#include <tawa/tawa.h>

int main(void) { return tawa_tune_worker(0, 1) == TAWA_OK ? 0 : 1; }
