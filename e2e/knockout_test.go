package e2e

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var knockOut = flag.Bool("knockout", false, "remove each check of the wallet in a copy of the module, and see which test notices it")

// knockOuts are the checks that carry the guarantee of package wallet: what is
// removed, where, and what is put in its place.
var knockOuts = []struct{ check, file, is, becomes string }{
	{"a majority of the nodes", "internal/proof/life.go", "return nodes/2 + 1", "return min(nodes, 1)"},
	{"the end is the age after the blockhash's block", "internal/proof/life.go", "n.Bound+max(Age, n.Age)", "n.Bound+10"},
	{"the bound grows with each slot since the final block", "internal/proof/life.go", "return final.Height + (seen - min(seen, final.Slot))", "return final.Height + 0*seen"},
	{"a blockhash that is not known yet has not ended", "internal/proof/life.go", "n.Seen > 0 && n.Seen <= slot && end", "n.Seen > 0 && end"},
	{"a finalized block past the end", "internal/proof/dead.go", "case n.Gone.Height <= last:", "case n.Gone.Slot == 0:"},
	{"the answers cover the end", "internal/proof/dead.go", "if null.To.Height < height || ", "if height == 0 || "},
	{"they are from where the end was reached", "internal/proof/dead.go", " || null.AsOfSlot < n.Gone.Slot {", " {"},
	{"two answers", "internal/proof/dead.go", "return len(n.Nulls) == 2 && n.Nulls[1].Final >= n.Nulls[0].AsOfSlot", "return len(n.Nulls) >= 1"},
	{"the finality of the first between them", "internal/proof/absence.go", "case null.Final >= n.Nulls[0].AsOfSlot:", "case true:"},
	{"the store knows the witnesses", "internal/proof/absence.go", "case !w.Status.Found:", "case false:"},
	{"a witness of each block of an old window", "internal/proof/absence.go", "case (!a.History || open(a)) && Cached(first.Head, last.Head, Rooted(a)):", "case true:"},
	{"a block without a transaction is no witness", "internal/proof/absence.go", `w.Signature == "" && !begins(q, w)`, "false"},
	{"the first witness is at the beginning", "internal/proof/absence.go", "case !begins(q, first):", "case false:"},
	{"the answer covers the window", "wallet/internal/evidence/pass.go", "		err = proof.Covered(q, a)\n", "		_ = proof.Covered(q, a)\n"},
	{"what is found is not absent", "wallet/internal/evidence/pass.go", "if a.Statuses[i].Found {", "if false && a.Statuses[i].Found {"},
	{"a blockhash that is good has no end", "wallet/internal/evidence/pass.go", "case state.Valid:", "case false && state.Valid:"},
	{"a blockhash that is good shows nothing final", "wallet/internal/evidence/window.go", "case state.Valid:", "case false && state.Valid:"},
	{"a head that was told is the ledger's", "wallet/internal/evidence/window.go", "case block != it.After && (!p.several || block.Height < it.After.Height):", "case false:"},
	{"known heads only grow", "internal/proof/life.go", "case told.Slot <= known.Slot || told.Height < known.Height:", "case told == known:"},
	{"a key is claimed by one", "wallet/journal.go", "if now := j.entries[e.Key].Version; now != was {", "if now := j.entries[e.Key].Version; false {"},
	{"what another holds is not taken", "wallet/key.go", "	case KeySent:\n		return KeyInDoubt\n	}\n	return s", "	case KeySent:\n		return KeyReleased\n	}\n	return s"},
	{"an earlier execution is settled first", "wallet/claim.go", "	if !e.entry.State.Settled() {\n		if err := e.settleEarlier", "	if false {\n		if err := e.settleEarlier"},
	{"a key that has paid returns that", "wallet/claim.go", "if e.entry.Spent() && len(e.entry.open()) == 0", "if false && e.entry.Spent()"},
	{"recorded before it is sent", "wallet/execution.go", "		return next.move(evSend, steps...)\n", "		return nil\n"},
	{"a lost answer is in doubt", "wallet/send.go", "		c.left, c.lost = true, err\n", "		c.lost, c.refused = err, map[*door]error{d: err}\n"},
	{"not sent only without an earlier send", "wallet/send.go", "final := !c.left && ", "final := "},
	{"not sent only if the journal has it", "wallet/execution.go", "if f.verdict == KeyReleased {", "if false {"},
	{"a lost write is recalled", "wallet/execution.go", "if errors.Is(err, ErrFenced) || e.recall(steps) {", "if true {"},
	{"a durable nonce has no end by height", "wallet/prove.go", "	if s.NonceAccount != \"\" {\n		return proof.DeadNonce", "	if false {\n		return proof.DeadNonce"},
	{"a nonce's earlier value says nothing", "wallet/internal/evidence/window.go", "case it.Shown.Held.Slot > 0 && at > it.Shown.Held.Slot:", "case at > 0:"},
	{"what used the nonce is another", "wallet/internal/evidence/window.go", "case user != \"\" && (user == it.Step.Signature || it.Step.SignedBy(user)):", "case false:"},
	{"a sponsor's signature is verified", "wallet/internal/evidence/pass.go", "return err == nil && told.Verify(sent.FeePayer(), sent.Message())", "return err == nil && len(sent.Message()) > 0 && told[0] >= 0"},
	{"a failure counts when it is final", "wallet/ask.go", " && status.Commitment.AtLeast(walletfi.CommitmentFinalized)", ""},
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
		{"./internal/proof"},
		{"./e2e/chaos", "-run", "^TestChaosInMemory$", "-chaos", "100000"},
		{"./wallet", "-timeout", "2m", "-skip", "Crash"},
		{"./e2e/chaos", "-run", "^TestChaos$", "-chaoshttp", "4000"},
	} {
		if len(names) > 0 && slices.Contains(run, "-chaoshttp") {
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
