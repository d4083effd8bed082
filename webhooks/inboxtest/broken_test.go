package inboxtest_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/webhooks"
	"github.com/walletfi/walletfi-go/webhooks/inboxtest"
)

// flaws and a test that each must fail. Only that one is run: others would wait
// for what never happens.
var flaws = map[string]string{
	"it starts twice":           "start once",
	"processes do not exclude":  "two processes share",
	"time does not end":         "a handler's time ends",
	"a panic is a success":      "a panic is a failure",
	"failures are forgotten":    "a failure is tried again",
	"the first cause is kept":   "the dead can be read",
	"nothing dies":              "too many failures",
	"it does not wait":          "waits grow and others go on",
	"keys are not looked up":    "a key is held once",
	"the dead are put again":    "a key is held once",
	"bodies are text":           "a delivery comes back whole",
	"times are in seconds":      "a delivery comes back whole",
	"stop does not wait":        "stop waits",
	"it dies with its process":  "what is left is handled later",
	"handlers are not told":     "stop gives up",
	"one page is listed":        "many dead",
	"no error of an unknown ID": "the dead can be read",
	"the dead are not handled":  "the dead are handled anew",
	"a retry starts anew":       "the dead are handled anew",
}

func fresh(flaw string, patience time.Duration) func(t *testing.T) inboxtest.Store {
	return func(*testing.T) inboxtest.Store {
		b := &backing{flaw: flaw}
		return inboxtest.Store{Patience: patience, Open: func(*testing.T) webhooks.Inbox { return &inbox{backing: b} }}
	}
}

const childVariable = "WALLETFI_BROKEN_INBOX"

// TestBrokenInboxes: the suite fails for each inbox that is broken in one way,
// which a child process finds out.
func TestBrokenInboxes(t *testing.T) {
	if flaw := os.Getenv(childVariable); flaw != "" {
		inboxtest.Run(t, fresh(flaw, time.Second))
		return
	}
	require.Len(t, flaws, 19)
	for flaw, test := range flaws {
		t.Run(flaw, func(t *testing.T) {
			t.Parallel()
			name := strings.ReplaceAll(test, " ", "_")
			child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestBrokenInboxes$/^"+name+"$", "-test.v")
			child.Env = append(os.Environ(), childVariable+"="+flaw)
			out, _ := child.CombinedOutput() // it fails
			require.Contains(t, string(out), "--- FAIL: TestBrokenInboxes/"+name+" ")
		})
	}
}

// TestGoodInbox: the same inbox without a flaw passes.
func TestGoodInbox(t *testing.T) { inboxtest.Run(t, fresh("", 0)) }

// TestMemoryInbox is one process's.
func TestMemoryInbox(t *testing.T) {
	inboxtest.Run(t, func(*testing.T) inboxtest.Store {
		return inboxtest.Store{Volatile: true, Open: func(*testing.T) webhooks.Inbox { return &webhooks.MemoryInbox{} }}
	})
}
