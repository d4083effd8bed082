package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/wallet"
)

var since = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func head(slot, height uint64) walletfi.Head { return walletfi.Head{Slot: slot, Height: height} }

// payment is an entry of one step with some evidence.
func payment(key string, state wallet.KeyState, change func(s *wallet.EntryStep, e *walletfi.Evidence)) wallet.Entry {
	e := wallet.Entry{
		Schema: wallet.Schema, Key: key, Version: 7, State: state, Holder: "wallet-1", Intent: "intent of " + key,
		Since: since, Signing: head(900, 800), SignedAt: since.Add(time.Second),
		Asked: walletfi.Intent{
			Service: "swap", Owner: "Owner1111", PayTo: []string{"Shop1111"},
			Spend: []walletfi.Asset{{Mint: walletfi.NativeMint, Amount: 25_500_000}},
			Asked: map[string]string{"request": "swap.OrderRequest", "amount": "25500000"},
		},
		Steps: []wallet.EntryStep{{
			State: state, Signature: "5xSignature", Own: "5xSignature", Blockhash: "Blockhash1111", Last: 1000,
			Doors: []string{"rpcnode", "relay"}, Transaction: "AQID",
			Evidence: &walletfi.Evidence{After: head(900, 800), Told: 1000},
		}},
	}
	change(&e.Steps[0], e.Steps[0].Evidence)
	return e
}

func dead(node string) walletfi.NodeEvidence {
	return walletfi.NodeEvidence{
		Node: node, Seen: 950, Bound: 850, Age: 151, Gone: head(1130, 1002),
		Nulls: []walletfi.Null{
			{AsOfSlot: 1162, From: head(900, 800), To: head(1130, 1002), Witnesses: 2, Final: 1130},
			{AsOfSlot: 1200, From: head(900, 800), To: head(1168, 1040), Witnesses: 2, Final: 1168},
		},
	}
}

// payments are entries of each kind, by the name of a golden file.
func payments() map[string]wallet.Entry {
	return map[string]wallet.Entry{
		"confirmed": payment("key:confirmed", wallet.KeyConfirmed, func(s *wallet.EntryStep, _ *walletfi.Evidence) {
			s.Slot, s.Transaction = 960, ""
		}),
		"failed": payment("key:failed", wallet.KeyFailed, func(s *wallet.EntryStep, _ *walletfi.Evidence) {
			s.Slot, s.Err, s.Transaction = 960, `{"InstructionError":[0,"\x1b[2J"]}`+"\x1b[2J", ""
		}),
		"expired": payment("key:expired", wallet.KeyExpired, func(s *wallet.EntryStep, e *walletfi.Evidence) {
			s.Transaction, e.Nodes = "", []walletfi.NodeEvidence{dead("node a"), dead("node b")}
		}),
		"doubt": payment("key:doubt", wallet.KeyInDoubt, func(_ *wallet.EntryStep, e *walletfi.Evidence) {
			late := dead("node b")
			late.Gone, late.Nulls, late.Missing = walletfi.Head{}, nil, "it has dropped its history\x1b[2J"
			e.Nodes, e.Unsure = []walletfi.NodeEvidence{dead("node a"), late}, true
		}),
		"nonce": payment("key:nonce", wallet.KeyInDoubt, func(s *wallet.EntryStep, e *walletfi.Evidence) {
			s.Signature, s.NonceAccount, s.Last, e.Told = "", "Nonce1111", 0, 0
			e.Nodes = []walletfi.NodeEvidence{{Node: "node a", Held: head(940, 830), Gone: head(970, 860), UsedBy: "other"}}
		}),
		"vouched": payment("key:vouched", wallet.KeyExpired, func(_ *wallet.EntryStep, e *walletfi.Evidence) {
			e.Vouched = &walletfi.Vouched{By: "ops", Reason: "an explorer's page", At: since}
		}),
		"sent": payment("key:sent", wallet.KeySent, func(*wallet.EntryStep, *walletfi.Evidence) {}),
		"ledger": {
			Schema: wallet.Schema, Key: "ledger", Version: 3, State: wallet.KeyReleased, Since: since,
			Ledger: &wallet.Ledger{Genesis: "Genesis1111", Final: head(1168, 1040), Resets: []wallet.Reset{
				{By: "ops", Reason: "a lying node", At: since, Was: head(9000, 8000)},
			}},
		},
	}
}

// filled is a journal with all of them, which this process has open.
func filled(t *testing.T) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "journal")
	j, err := wallet.OpenFileJournal(path)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, j.Close()) })
	for _, e := range payments() {
		require.NoError(t, j.Store(t.Context(), 0, e))
	}
	order := payment("key:order", wallet.KeyConfirmed, func(*wallet.EntryStep, *walletfi.Evidence) {})
	order.FilledLater, order.Since = true, since.Add(time.Hour)
	require.NoError(t, j.Store(t.Context(), 0, order))
	require.NoError(t, j.Prune(t.Context(), time.Time{})) // what is settled is in the file alone
	order.Version, order.End = 8, &walletfi.OrderEnd{State: "closed", Filled: true, Fills: []walletfi.OrderFill{{Signature: "fill", InAmount: 1, OutAmount: 2}}}
	require.NoError(t, j.Store(t.Context(), 7, order))
	derived := payment("intent:abc", wallet.KeyInDoubt, func(*wallet.EntryStep, *walletfi.Evidence) {})
	derived.Derived, derived.Since = true, since.Add(2*time.Hour)
	require.NoError(t, j.Store(t.Context(), 0, derived))
	return path
}

// TestJournalShowOfPrepared: what was given away has no signature of its own, and may come back changed.
func TestJournalShowOfPrepared(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	j, err := wallet.OpenFileJournal(path)
	require.NoError(t, err)
	e := payment("key:prepared", wallet.KeyInDoubt, func(s *wallet.EntryStep, _ *walletfi.Evidence) {
		s.Signature, s.Own, s.Doors = "", "Message1111", nil
	})
	changed := e.Steps[0]
	changed.Signature, changed.Own, changed.InPlaceOf, changed.Yields = "5xSignature", "Message2222", 1, true
	e.Steps = append(e.Steps, changed)
	e.Prepared = &wallet.EntryPrepared{Digest: "d16e57", Submitted: since, Declined: since}
	require.NoError(t, j.Store(t.Context(), 0, e))
	require.NoError(t, j.Close())
	got := command(t, "journal", "show", "--journal", path, "prepared")
	require.Zero(t, got.status, got.err)
	for _, line := range []string{
		"prepared    to be signed elsewhere, with the report d16e57", "submitted   2026-01-02T03:04:05Z",
		"declined    2026-01-02T03:04:05Z, which proves nothing", "signature not known: it was given away to be signed",
		"message   Message1111, by its SHA-256", "signature 5xSignature", "message   Message2222, by its SHA-256",
		"instead of transaction 1, which the owner's wallet changed",
		"yields    another key had the message",
	} {
		require.Contains(t, got.out, line)
	}
	require.NotContains(t, got.out, "the owner's signature")
}

// TestJournalShow: while a wallet has the file open.
func TestJournalShow(t *testing.T) {
	path := filled(t)
	for name, e := range payments() {
		t.Run(name, func(t *testing.T) {
			got := command(t, "journal", "show", "--journal", path, name)
			require.Zero(t, got.status, got.err)
			require.Empty(t, got.err)
			require.NotContains(t, got.out, "\x1b")
			require.NotContains(t, got.out, "AQID", "the bytes")
			golden(t, "journal-"+name+".txt", got.out)
			asJSON := call{env: []string{journalVariable + "=" + path}}.run(t, "journal", "show", "--json", name)
			require.Zero(t, asJSON.status, asJSON.err)
			var read wallet.Entry
			require.NoError(t, json.Unmarshal([]byte(asJSON.out), &read))
			require.Equal(t, e, read)
		})
	}
	got := command(t, "journal", "show", "--journal", path, "order")
	require.Contains(t, got.out, "order       ended closed, filled true\nfill        fill, in 1, out 2\n")
	got = command(t, "journal", "show", "--journal", path, "intent:abc")
	require.Contains(t, got.out, "key         intent:abc\n", "by the key that list prints")
}

func TestJournalList(t *testing.T) {
	path := filled(t)
	all := command(t, "journal", "list", "--journal", path)
	require.Zero(t, all.status, all.err)
	lines := strings.Split(strings.TrimSpace(all.out), "\n")
	require.Len(t, lines, 9, "all but what the journal knows of the ledger")
	require.Equal(t, "confirmed  2026-01-02T03:04:05Z  confirmed", lines[0])
	require.Equal(t, []string{
		"confirmed  2026-01-02T04:04:05Z  order", "in_doubt   2026-01-02T05:04:05Z  intent:abc",
	}, lines[7:], "the oldest first")
	open := command(t, "journal", "list", "--journal", path, "--open", "--json")
	require.Zero(t, open.status, open.err)
	var keys []string
	for d := json.NewDecoder(strings.NewReader(open.out)); d.More(); {
		var e listed
		require.NoError(t, d.Decode(&e))
		require.Contains(t, []wallet.KeyState{wallet.KeyInDoubt, wallet.KeySent}, e.State)
		keys = append(keys, e.Key)
	}
	require.Equal(t, []string{"doubt", "nonce", "sent", "intent:abc"}, keys)
}

func TestJournalVerify(t *testing.T) {
	path := filled(t)
	got := command(t, "journal", "verify", path)
	require.Zero(t, got.status, got.err)
	require.Contains(t, got.out, "schema 2, entries 10, open 4, frames ")
	require.Contains(t, got.out, "no damage")
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	copied := func(content []byte) string {
		copied := filepath.Join(t.TempDir(), "journal")
		require.NoError(t, os.WriteFile(copied, content, 0o600))
		return copied
	}
	torn := command(t, "journal", "verify", copied(content[:len(content)-9]))
	require.Zero(t, torn.status, torn.err)
	require.Contains(t, torn.out, "that a crash cut short")

	spoilt := []byte(strings.Replace(string(content), "Shop1111", "Shop2222", 1))
	command(t, "journal", "verify", copied(spoilt)).fails(t, statusMalformed, "corrupt", "byte ")
	damaged := command(t, "journal", "verify", "--json", copied(spoilt))
	require.Equal(t, statusMalformed, damaged.status)
	var check wallet.JournalCheck
	require.NoError(t, json.Unmarshal([]byte(damaged.out), &check))
	require.NotNil(t, check.Damage)
	require.Positive(t, check.Damage.At)

	older := copied(content[:len(content)-9])
	know, err := os.ReadFile(path + ".head")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(older+".head", know, 0o600))
	command(t, "journal", "verify", older).fails(t, statusMalformed, "rolled back")
	command(t, "journal", "verify", "--json", older).fails(t, statusMalformed, "rolled back")
	command(t, "journal", "verify", copied([]byte("walletfi journal 3\n"))).fails(t, statusMalformed, "newer version")
	command(t, "journal", "verify", copied([]byte("hello\nworld\n"))).fails(t, statusMalformed, "hello")
	command(t, "journal", "verify", "/nonexistent").fails(t, statusMalformed, "/nonexistent")
}

func TestJournalMisuse(t *testing.T) {
	path := filled(t)
	command(t, "journal", "show", "--journal", path, "nosuch").fails(t, statusMalformed, `"nosuch"`)
	command(t, "journal", "show", "--journal", "/nonexistent", "a").fails(t, statusMalformed, "/nonexistent")
	command(t, "journal", "list", "--journal", "/nonexistent").fails(t, statusMalformed, "/nonexistent")
	require.NoFileExists(t, "/nonexistent")
	for _, args := range [][]string{{"show", "a"}, {"list"}} {
		command(t, append([]string{"journal"}, args...)...).fails(t, statusUsage, journalVariable)
	}
	command(t, "journal", "show", "--journal", path).fails(t, statusUsage, "KEY")
	command(t, "journal", "show", "--journal", path, "a", "b").fails(t, statusUsage, `"b"`)
	command(t, "journal", "list", "--journal", path, "a").fails(t, statusUsage, `"a"`)
	command(t, "journal", "verify").fails(t, statusUsage, "FILE")
	command(t, "journal", "verify", path, path).fails(t, statusUsage, "one at a time")
	command(t, "journal", "explode").fails(t, statusUsage, "explode")
	require.Contains(t, command(t, "journal").out, "verify")
}
