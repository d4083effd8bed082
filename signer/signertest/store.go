package signertest

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest"
)

// storePolicy lets 3 SOL leave within an hour, to the key "payee" of package signingtest.
const storePolicy = `version = 1
genesis = "{{.Genesis}}"
fees = {network = 5_000}
owner = [{name = "owner", key = "{{.Key}}", ceiling = [
	{mint = "SOL", transaction = 1_000_000_000, window = [{length = "1h", most = 3_000_000_000}]}]}]
client = [{name = "client", uid = {{.UID}}, owners = ["owner"], services = [""], share = 100, rate = 1000}]
payee = [{name = "payee", address = "`

// Store tests that where a signer keeps its counts and its log holds what was committed. open
// opens a signer on the store that cfg names, as signer.Open does; after a Close it is opened
// again.
func Store(t *testing.T, open func(t *testing.T, cfg signer.Config) (*signer.Signer, error)) {
	store(t, open, func(t *testing.T, s *Signer, _ *signer.Signer, _ func(*signer.Signer, signing.SetRequest) error) {
		if other, err := open(t, s.Config); err == nil {
			require.NoError(t, other.Close())
			t.Fatal("two processes have it open, and would each count for themselves")
		}
	})
}

// SharedStore is Store for a store that several signers have open at once: see signer.Config.Shared.
// open sets that to the same store each time.
func SharedStore(t *testing.T, open func(t *testing.T, cfg signer.Config) (*signer.Signer, error)) {
	store(t, open, func(
		t *testing.T, s *Signer, on *signer.Signer, sign func(*signer.Signer, signing.SetRequest) error,
	) {
		cfg := s.Config
		cfg.Anchor = filepath.Join(t.TempDir(), "anchor")
		other, err := open(t, cfg)
		require.NoError(t, err)
		defer func() { assert.NoError(t, other.Close()) }()
		require.NoError(t, other.Settle(t.Context()))
		payee := signingtest.Key("payee").PublicKey()
		q := s.Payment(t, payee, 899_991_000) // another message than before, also within a block
		require.NoError(t, sign(other, q))
		require.NoError(t, sign(on, q), "the same message, of which the other signer asks")
		require.NoError(t, sign(on, s.Payment(t, payee, 899_994_000)))
		require.ErrorContains(t, sign(on, s.Payment(t, payee, 899_993_000)), signer.CodeWindow)
		require.ErrorContains(t, sign(other, s.Payment(t, payee, 899_992_000)), signer.CodeWindow)
		require.NoError(t, other.Freeze(t.Context(), "the suite", signer.ModeFrozen, ""))
		require.ErrorContains(t, sign(on, s.Payment(t, payee, 1)), signer.CodeFrozen)
		require.NoError(t, on.Thaw(t.Context(), "the suite", ""))
		require.NoError(t, sign(other, s.Payment(t, payee, 2)))
	})
}

// store runs what is true of both, and then what the signers do of which one is open already.
func store(
	t *testing.T, open func(*testing.T, signer.Config) (*signer.Signer, error),
	together func(*testing.T, *Signer, *signer.Signer, func(*signer.Signer, signing.SetRequest) error),
) {
	payee := signingtest.Key("payee").PublicKey()
	s := Start(t, storePolicy+payee.String()+`"}]`)
	dir := t.TempDir()
	s.Config.Store, s.Config.Anchor = filepath.Join(dir, "store"), filepath.Join(dir, "anchor")
	var on *signer.Signer
	begin := func() {
		var err error
		on, err = open(t, s.Config)
		require.NoError(t, err)
		require.NoError(t, on.Settle(t.Context()))
	}
	again := func() {
		require.NoError(t, on.Close())
		begin()
	}
	sign := func(q signing.SetRequest) error {
		_, err := on.SignSet(t.Context(), "client", q)
		return err
	}
	state := func() (left, entries int64) {
		used, err := on.Ledger(t.Context())
		require.NoError(t, err)
		require.Len(t, used, 1)
		health, err := on.Health(t.Context())
		require.NoError(t, err)
		return used[0].Left, health.Entries
	}
	begin()
	defer func() { assert.NoError(t, on.Close()) }()

	q := s.Payment(t, payee, 899_995_000)
	for range 2 {
		require.NoError(t, sign(q))
		_, was := state()
		again()
		left, is := state()
		assert.Equal(t, int64(2_100_000_000), left, "what was signed counts in the next process, and once")
		assert.Equal(t, was+1, is, "the log goes on with an entry of the opening")
	}
	require.NoError(t, on.Freeze(t.Context(), "the suite", signer.ModeFrozen, ""))
	again()
	require.ErrorContains(t, sign(s.Payment(t, payee, 1)), signer.CodeFrozen, "a freeze outlasts the process")
	require.NoError(t, on.Thaw(t.Context(), "the suite", ""))
	require.Error(t, sign(s.Payment(t, payee, 1_000_000_000)))
	left, _ := state()
	assert.Equal(t, int64(2_100_000_000), left, "what is refused counts nothing")
	together(t, s, on, func(on *signer.Signer, q signing.SetRequest) error {
		_, err := on.SignSet(t.Context(), "client", q)
		return err
	})
	require.NoError(t, sign(s.Payment(t, payee, 1)))
}
