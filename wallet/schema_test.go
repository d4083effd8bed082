package wallet_test

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/wallet"
)

// testdata/schema1.journal was written by the last program of schema 1: payments that a
// wallet made, one that was on its way and one that was only claimed when their process
// died, forty that share frames, and an order that is filled later.
const schema1 = "testdata/schema1.journal"

// schema1Entries reads such a file as its program did.
func schema1Entries(t *testing.T) map[string]string {
	t.Helper()
	content, err := os.ReadFile(schema1)
	require.NoError(t, err)
	header, rest, _ := strings.Cut(string(content), "\n")
	require.NoError(t, schema1Accepts(header))
	entries := map[string]string{}
	for len(rest) > 0 {
		length := binary.LittleEndian.Uint32([]byte(rest))
		payloads := rest[12 : 12+length]
		rest = rest[12+length:]
		for len(payloads) > 0 {
			n, width := binary.Uvarint([]byte(payloads))
			text := payloads[width : width+int(n)]
			payloads = payloads[width+int(n):]
			var e struct{ Key string }
			require.NoError(t, json.Unmarshal([]byte(text), &e))
			entries[e.Key] = text
		}
	}
	require.Len(t, entries, 48)
	return entries
}

// schema1Accepts is how a program of schema 1 judges the first line of a file.
func schema1Accepts(header string) error {
	const known = 1
	text, ok := strings.CutPrefix(header, "walletfi journal ")
	schema, err := strconv.Atoi(text)
	switch {
	case !ok || err != nil || schema < 1:
		return wallet.ErrJournalDamaged
	case schema > known:
		return wallet.ErrNewerJournal
	}
	return nil
}

// ofSchema1 returns the path of a copy.
func ofSchema1(t *testing.T) string {
	t.Helper()
	content, err := os.ReadFile(schema1)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "journal")
	require.NoError(t, os.WriteFile(path, content, 0o600))
	return path
}

// TestSchema1IsSteppedUp: nothing is lost, also of what is settled, the old file stays, and
// an older program refuses the new one.
func TestSchema1IsSteppedUp(t *testing.T) {
	want, path := schema1Entries(t), ofSchema1(t)
	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(path, link))
	check, err := wallet.VerifyFileJournal(link)
	require.NoError(t, err)
	require.Equal(t, []int{1, 48, 3}, []int{check.Schema, check.Entries, check.Open})
	for range 2 {
		j, err := wallet.OpenFileJournal(link)
		require.NoError(t, err)
		seen := 0
		for e, err := range j.List(t.Context(), wallet.Query{}) {
			require.NoError(t, err)
			text, err := json.Marshal(e)
			require.NoError(t, err)
			require.JSONEq(t, strings.ReplaceAll(want[e.Key], "in doubt", "in_doubt"), string(text))
			loaded, err := j.Load(t.Context(), e.Key)
			require.NoError(t, err)
			require.Equal(t, e, loaded)
			seen++
		}
		require.Len(t, want, seen)
		require.NoError(t, j.Close())
	}
	check, err = wallet.VerifyFileJournal(path)
	require.NoError(t, err)
	require.Equal(t, []int{2, 48, 3}, []int{check.Schema, check.Entries, check.Open})

	before, err := os.ReadFile(schema1)
	require.NoError(t, err)
	kept, err := os.ReadFile(path + ".schema1")
	require.NoError(t, err)
	require.Equal(t, before, kept)
	after, err := os.ReadFile(path)
	require.NoError(t, err)
	header, _, _ := strings.Cut(string(after), "\n")
	require.Equal(t, "walletfi journal 2", header)
	require.ErrorIs(t, schema1Accepts(header), wallet.ErrNewerJournal)

	require.NoError(t, os.WriteFile(path, before, 0o600))
	_, err = wallet.OpenFileJournal(path)
	require.ErrorIs(t, err, wallet.ErrJournalRolledBack, "the kept file is older than what was written since")
}

// TestSchema1IsTakenUp: a wallet carries on what one of schema 1 began, in its file. What
// was paid is not paid again, what was on its way is followed, and of what was only
// claimed nothing was signed.
func TestSchema1IsTakenUp(t *testing.T) {
	path := ofSchema1(t)
	synctest.Test(t, func(t *testing.T) {
		file, err := wallet.OpenFileJournal(path)
		require.NoError(t, err)
		defer file.Close()
		landed := map[string]bool{}
		for _, key := range []string{"key:unknown", "key:sent"} {
			e, err := file.Load(t.Context(), key)
			require.NoError(t, err)
			landed[e.Steps[0].Signature] = true
		}
		r := newRigWith(t, func(c *wallet.Config) {
			c.Journal = file
			ledger := c.Confirmer.(*chain)
			ledger.status = func(_ int, signature string) (walletfi.SignatureStatus, error) {
				found := landed[signature] || distinct(ledger.sent)[signature]
				return walletfi.SignatureStatus{Found: found, Commitment: walletfi.CommitmentConfirmed, Slot: 7}, nil
			}
		})
		<-time.After(time.Minute)
		_, err = r.wallet.Settle(soon(t))
		require.NoError(t, err)
		require.Empty(t, r.open(t))
		for i, key := range []string{"paid", "paid too", "unknown", "sent"} {
			lamports := []uint64{1, 2, 6, 8}[i]
			u := r.pay(t, 1)
			u.Transactions[0] = r.transfer(t, lamports, byte(100+i))
			u.Intent.Spend[0].Amount = walletfi.Amount(lamports)
			result, err := r.wallet.Execute(soon(t), u, wallet.ExecuteOptions{Key: key})
			require.NoError(t, err)
			require.True(t, result.Confirmed())
			require.Equal(t, r.entry(t, "key:"+key).Steps[0].Signature, result.Signatures()[0])
		}
		for _, tx := range r.gone() {
			require.True(t, landed[tx.Signature], "what was on its way was sent again, and nothing else")
		}
		before := r.submissions()
		require.Equal(t, 2, r.entry(t, "key:sent").Schema, "what this program wrote")
		require.Equal(t, 1, r.entry(t, "key:paid").Schema, "what it only read")
		r.restart()
		u := r.pay(t, 1)
		u.Transactions[0] = r.transfer(t, 8, 99)
		u.Intent.Spend[0].Amount = 8
		_, err = r.wallet.Execute(soon(t), u, wallet.ExecuteOptions{Key: "claimed"})
		require.NoError(t, err)
		require.Equal(t, before+1, r.submissions())
	})
}

// restart begins the ledger again, so that what is built now is on a new block.
func (c *chain) restart() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.begun = time.Now()
}

// ofTheOld is a journal as a program of schema 1 sees it: all schemas are one higher, so
// that this program knows one less, and what it writes is of schema 1.
type ofTheOld struct{ wallet.Journal }

func (j ofTheOld) Load(ctx context.Context, key string) (wallet.Entry, error) {
	e, err := j.Journal.Load(ctx, key)
	if e.Version > 0 {
		e.Schema++
	}
	return e, err
}

func (j ofTheOld) Store(ctx context.Context, was uint64, e wallet.Entry) error {
	e.Schema--
	return j.Journal.Store(ctx, was, e)
}

func (j ofTheOld) List(ctx context.Context, q wallet.Query) iter.Seq2[wallet.Entry, error] {
	return func(yield func(wallet.Entry, error) bool) {
		for e, err := range j.Journal.List(ctx, q) {
			e.Schema++
			if !yield(e, err) {
				return
			}
		}
	}
}

// TestRollingUpgrade: wallets of both schemas share a journal by turns, each dying in the
// middle of payments. Nothing is paid twice and nothing is lost: the new one carries on
// what the old one began, and the old one does not touch what the new one wrote.
func TestRollingUpgrade(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shared := wallet.NewMemoryJournal()
		sea := newChain(t, 1000)
		paid := map[string]map[string]bool{} // the signatures that executed, by key
		turn := func(old, lossy bool, keys ...string) (refused int) {
			sea.restart() // what is built is built on a new block
			r := newRigWith(t, func(c *wallet.Config) {
				c.Journal, c.Submitter, c.Confirmer, c.Heights = shared, sea, sea, sea
				if old {
					c.Journal = ofTheOld{shared}
				}
			})
			for i, key := range keys {
				u := r.pay(t, 1)
				u.Transactions[0] = r.transfer(t, 1, byte(sea.submissions()+1))
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				if i%2 == 1 && lossy {
					sea.tells(func(int, string) (walletfi.SignatureStatus, error) { return walletfi.SignatureStatus{}, errLost })
				}
				result, err := r.wallet.Execute(ctx, u, wallet.ExecuteOptions{Key: key})
				cancel()
				sea.tells(nil)
				switch {
				case errors.Is(err, wallet.ErrNewerJournal):
					require.True(t, old)
					refused++
				case err != nil:
					answersTo(t, err, walletfi.ErrOutcomeUnknown)
				default:
					if paid[key] == nil {
						paid[key] = map[string]bool{}
					}
					paid[key][result.Signatures()[0]] = true
				}
			}
			require.NoError(t, r.wallet.Close())
			return refused
		}
		var keys []string
		for round := range 6 {
			for i := range 4 {
				keys = append(keys, fmt.Sprint("order ", round, i))
			}
			refused := turn(round%2 == 0, true, keys...)
			require.Equal(t, round > 1 && round%2 == 0, refused > 0, "round %d: %d refused", round, refused)
			<-time.After(time.Hour)
		}
		require.Zero(t, turn(false, false, keys...))
		<-time.After(time.Hour)
		require.Zero(t, turn(false, false, keys...))
		require.Len(t, distinct(sea.gone()), len(keys), "one transaction for each key")
		for _, key := range keys {
			require.Len(t, paid[key], 1, key)
		}
	})
}
