package e2e

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var knockOut = flag.Bool("knockout", false, "remove each check of the wallet in a copy of the module, and see which test notices it")

// knockOuts are the checks that carry the guarantee of package wallet: what is
// removed, where, and what is put in its place.
var knockOuts = []struct{ check, file, is, becomes string }{
	{"the status is as recent as the head", "wallet/proof.go", "if r.head.Slot == 0 || asOf < r.head.Slot {", "if r.head.Slot == 0 {"},
	{"the end is no earlier than signing allows", "wallet/flight.go", "return max(end, s+lifetime)", "if end > 0 {\n\t\treturn end\n\t}\n\treturn s + lifetime"},
	{"a margin for nodes that lag", "wallet/proof.go", "return r.head.Height > f.end()+maxLag, nil", "return r.head.Height > f.end(), nil"},
	{"the node says that the blockhash is gone", "wallet/proof.go", "	case valid:\n", "	case false && valid:\n"},
	{"the status is as recent as the blockhash's end", "wallet/proof.go", "return asOf >= f.goneAt, nil", "return true, nil"},
	{"heads that contradict the clock are not believed", "wallet/head.go", "return blocks <= slots && slots <= h.most(b.at.Sub(a.at))", "return blocks+slots >= 0"},
	{"a key is claimed by one", "wallet/memoryjournal.go", "if now := t.entries[e.Key].Version; now != was {", "if now := t.entries[e.Key].Version; false {"},
	{"what another holds is not taken", "wallet/keystate.go", "	case KeySent:\n		return KeyInDoubt\n	}\n	return s", "	case KeySent:\n		return KeyReleased\n	}\n	return s"},
	{"an earlier execution is settled first", "wallet/claim.go", "	if !e.entry.State.Settled() {\n		if err := e.settleEarlier", "	if false {\n		if err := e.settleEarlier"},
	{"a key that has paid returns that", "wallet/claim.go", "if e.entry.Spent() && len(e.entry.open()) == 0", "if false && e.entry.Spent()"},
	{"recorded before it is sent", "wallet/execution.go", "		return next.move(evSend, steps...)\n", "		return nil\n"},
	{"a lost answer is in doubt", "wallet/send.go", "		c.left, c.lost = true, err\n", "		c.lost, c.refused = err, map[*door]error{d: err}\n"},
	{"not sent only without an earlier send", "wallet/send.go", "final := !c.left && ", "final := "},
	{"not sent only if the journal has it", "wallet/execution.go", "if err != nil && f.verdict == KeyReleased {", "if false {"},
	{"a lost write is recalled", "wallet/execution.go", "if errors.Is(err, ErrFenced) || e.recall(steps) {", "if true {"},
	{"a durable nonce has no end by height", "wallet/proof.go", "if f.step.NonceAccount != \"\" {", "if false {"},
	{"a nonce's earlier value says nothing", "wallet/proof.go", "if f.heldAt == 0 && at <= f.lateAt {", "if false {"},
	{"the status is as recent as the nonce", "wallet/proof.go", "return asOf >= f.usedAt, nil", "return true, nil"},
	{"a sponsor's signature is verified", "wallet/door.go", "return err == nil && s.Verify(sent.FeePayer(), sent.Message())", "return err == nil && len(sent.Message()) > 0 && s[0] >= 0"},
	{"the history from before the head at signing", "wallet/proof.go", "return min(f.first-min(f.first, maxLag), r.head.Slot-min(r.head.Slot, passed))", "_ = passed\n\treturn r.head.Slot"},
	{"a failure counts when it is settled", "wallet/ask.go", "status.Err != \"\" && (dead || status.Commitment.AtLeast(want))", "status.Err != \"\""},
	{"confirmed needs the commitment", "wallet/ask.go", "case status.Confirmed(want):", "case status.Found && status.Err == \"\":"},
}

// TestKnockOut removes one check after the other in a copy of the module and
// requires that chaos, the model or a test of the wallet notices it. Without
// -knockout, it only sees that each is still there to be removed.
func TestKnockOut(t *testing.T) {
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	require.NotEmpty(t, knockOuts)
	for _, k := range knockOuts {
		source, err := os.ReadFile(filepath.Join(root, k.file))
		require.NoError(t, err)
		require.Equal(t, 1, strings.Count(string(source), k.is), "%s: %s", k.file, k.is)
	}
	if !*knockOut {
		return
	}
	folder := t.TempDir()
	require.NoError(t, os.CopyFS(folder, os.DirFS(root)))
	fmt.Println("| check removed | noticed by |\n|---|---|")
	for _, k := range knockOuts {
		path := filepath.Join(folder, k.file)
		source, err := os.ReadFile(path)
		require.NoError(t, err)
		changed := strings.Replace(string(source), k.is, k.becomes, 1)
		require.NoError(t, os.WriteFile(path, []byte(changed), 0o600))
		noticed := noticedBy(t, folder)
		require.NoError(t, os.WriteFile(path, source, 0o600))
		fmt.Printf("| %s | %s |\n", k.check, strings.Join(noticed, ", "))
		if len(noticed) == 0 {
			t.Errorf("nothing notices that it is missing: %s", k.check)
		}
	}
}

// noticedBy lists the tests that fail in folder.
func noticedBy(t *testing.T, folder string) (names []string) {
	t.Helper()
	for _, run := range [][]string{
		{"./e2e", "-run", "^TestChaosInMemory$", "-chaos", "100000"},
		{"./wallet", "-timeout", "2m", "-skip", "Crash"},
		{"./e2e", "-run", "^TestChaos$", "-chaoshttp", "4000"},
	} {
		if len(names) > 0 && run[len(run)-2] == "-chaoshttp" {
			break // the slowest, for what nothing else sees
		}
		command := exec.Command("go", append([]string{"test"}, run...)...)
		command.Dir = folder
		out, err := command.CombinedOutput()
		require.NotContains(t, string(out), "[build failed]", "%s", out)
		if err == nil {
			continue
		}
		for line := range bytes.Lines(out) {
			if name, ok := strings.CutPrefix(string(line), "--- FAIL: "); ok {
				names = append(names, strings.Fields(name)[0])
			}
		}
		if len(names) == 0 {
			names = append(names, "a panic or a hang of "+run[0])
		}
	}
	return names
}
