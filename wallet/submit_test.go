package wallet_test

import (
	"bytes"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

var formats = []signing.Version{signing.Legacy, signing.V0, signing.V1}

// prepare gives transactions away.
func (p *page) prepare(t *testing.T, all ...transaction) *wallet.Prepared {
	t.Helper()
	prepared, err := p.wallet.Prepare(t.Context(), "order", p.asked(t, all...), wallet.PrepareOptions{})
	require.NoError(t, err)
	return prepared
}

func (p *page) submit(t *testing.T, signed ...[]byte) (*wallet.Result, error) {
	t.Helper()
	return p.wallet.Submit(soon(t), "order", signed, wallet.SubmitOptions{})
}

// TestSubmit: what comes back as it was prepared is recorded, sent once and confirmed.
func TestSubmit(t *testing.T) {
	for _, version := range formats {
		t.Run(version.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newPage(t, nil)
				signed := p.signs(t, p.prepare(t, p.transferOf(version, 1), p.transferOf(version, 2)))
				p.chain.submit = func(n int, tx walletfi.Signed) error {
					s := p.entry(t, "key:order").Steps[n]
					require.Equal(t, tx.Transaction, s.Transaction, "the journal has it before it leaves")
					require.NotEmpty(t, s.Doors)
					return nil
				}
				told := 0
				result, err := p.wallet.Submit(soon(t), "order", signed, wallet.SubmitOptions{
					Progress: func(confirmed, total int) {
						told++
						require.Equal(t, []int{told, 2}, []int{confirmed, total})
					},
				})
				require.NoError(t, err)
				require.True(t, result.Confirmed())
				require.Equal(t, 2, told)
				require.Empty(t, result.Changes)
				require.Len(t, p.gone(), 2)
				for i, sent := range p.gone() {
					tx, err := signing.Decode(sent.Transaction)
					require.NoError(t, err)
					require.Equal(t, signed[i], tx.Bytes())
				}
				o, err := p.wallet.Outcome(t.Context(), "order")
				require.NoError(t, err)
				require.Equal(t, wallet.StateConfirmed, o.State)

				result, err = p.submit(t, signed...)
				require.ErrorIs(t, err, wallet.ErrReplayed)
				require.True(t, result.Confirmed())
				require.Len(t, p.gone(), 2)
			})
		})
	}
}

// TestSubmitWhatAWalletChanges: what is on the list passes, and is named.
func TestSubmitWhatAWalletChanges(t *testing.T) {
	owner := func(p *page) *solana.AccountMeta { return solana.Meta(p.owner) }
	for _, version := range formats {
		for name, c := range map[string]struct {
			change func(t *testing.T, p *page, x *transaction)
			kinds  []wallet.ChangeKind
		}{
			"fee": {func(t *testing.T, p *page, x *transaction) {
				x.calls, x.fee = append(budget(t, 20_000, 1000), x.calls...), 7
			}, []wallet.ChangeKind{wallet.ChangeFee, wallet.ChangeFee}},
			"order": {func(t *testing.T, p *page, x *transaction) {
				x.calls[0], x.calls[1] = x.calls[1], x.calls[0]
			}, []wallet.ChangeKind{wallet.ChangeOrder}},
			"assertion": {func(t *testing.T, p *page, x *transaction) {
				x.calls = append(x.calls, lighthouseCall(5, owner(p)))
			}, []wallet.ChangeKind{wallet.ChangeAssertion}},
		} {
			kinds := c.kinds
			if name == "order" && version == signing.V1 {
				continue // it has no such instructions
			}
			if name == "fee" && version == signing.V1 {
				kinds = kinds[:1]
			}
			t.Run(version.String()+" "+name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					p := newPage(t, func(cfg *wallet.Config) {
						cfg.Guard = signing.NewGuard(signing.Policy{
							Pins:       map[string][]signing.PublicKey{"test": {signing.PublicKey(lighthouse)}},
							AllowBlind: []string{"test"},
						})
					})
					x := p.transferOf(version, 1)
					if name == "order" {
						x = p.transferOf(version, 1, budget(t, 20_000, 1)[0])
					}
					prepared := p.prepare(t, x)
					if c.change(t, p, &x); name == "fee" && version == signing.V1 {
						x.calls = x.calls[2:]
					}
					result, err := p.submit(t, sign(t, x.bytes(t), p.key))
					require.NoError(t, err)
					require.True(t, result.Confirmed())
					require.Len(t, result.Changes, len(kinds))
					for i, change := range result.Changes {
						require.Equal(t, kinds[i], change.Kind)
						require.Contains(t, result.Report.Text(), "changed by the owner's wallet:")
						require.NotEmpty(t, change.Text)
					}
					require.Len(t, p.gone(), 1)
					require.NotEqual(t, prepared.Transactions[0], p.gone()[0].Transaction)
					e := p.entry(t, "key:order")
					require.Equal(t, []any{2, 1, wallet.KeyConfirmed, wallet.KeyConfirmed},
						[]any{len(e.Steps), e.Steps[1].InPlaceOf, e.Steps[1].State, e.State})
					require.Empty(t, p.open(t))
					o, err := p.wallet.Outcome(t.Context(), "order")
					require.NoError(t, err)
					require.Len(t, o.Steps, 1)
					require.Equal(t, p.gone()[0].Signature, o.Steps[0].Signature)
				})
			})
		}
	}
}

// TestSubmitRefuses: anything else is not sent, and says in what it differs. What was prepared can
// still be signed and submitted.
func TestSubmitRefuses(t *testing.T) {
	other, err := signing.GenerateLocalKey()
	require.NoError(t, err)
	thief := solana.PublicKey{7}
	for name, c := range map[string]struct {
		change func(t *testing.T, p *page, x *transaction)
		want   []error
		says   string
		by     *signing.LocalKey
	}{
		"drain": {func(_ *testing.T, p *page, x *transaction) {
			x.calls = append(x.calls, system.NewTransferInstruction(9, p.owner, thief).Build())
		}, []error{wallet.ErrChanged}, "an instruction: it was none", nil},
		"another payee": {func(_ *testing.T, p *page, x *transaction) {
			x.calls = []solana.Instruction{system.NewTransferInstruction(1, p.owner, thief).Build()}
		}, []error{wallet.ErrChanged}, "an instruction: it was", nil},
		"another amount": {func(_ *testing.T, p *page, x *transaction) {
			x.calls = []solana.Instruction{system.NewTransferInstruction(2, p.owner, p.shop).Build()}
		}, []error{wallet.ErrChanged}, "an instruction: it was", nil},
		"an instruction less": {func(t *testing.T, p *page, x *transaction) {
			x.calls = budget(t, 20_000, 1)
		}, []error{wallet.ErrChanged}, "and is gone", nil},
		"a blockhash": {func(_ *testing.T, p *page, x *transaction) {
			x.hash = 2
		}, []error{wallet.ErrChanged}, "blockhash", nil},
		"a format": {func(_ *testing.T, p *page, x *transaction) {
			x.version = signing.V0
		}, []error{wallet.ErrChanged}, "format", nil},
		"a fee above the caps": {func(t *testing.T, p *page, x *transaction) {
			x.calls = append(budget(t, 1_000_000, 1_000_000_000), x.calls...)
		}, []error{wallet.ErrChanged, signing.ErrRefused}, "fee", nil},
		"a setting twice": {func(t *testing.T, p *page, x *transaction) {
			x.calls = append(append(budget(t, 20_000, 1), budget(t, 20_000, 1)...), x.calls...)
		}, []error{wallet.ErrChanged}, "twice", nil},
		"another setting": {func(_ *testing.T, p *page, x *transaction) {
			heap := solana.NewInstruction(solana.PublicKey(signing.ComputeBudgetProgram), nil, []byte{1, 0, 0, 4, 0})
			x.calls = append(x.calls, heap)
		}, []error{wallet.ErrChanged}, "setting 1", nil},
		"an assertion that is not pinned": {func(_ *testing.T, p *page, x *transaction) {
			x.calls = append(x.calls, lighthouseCall(5, solana.Meta(p.owner)))
		}, []error{wallet.ErrChanged, signing.ErrRefused}, "", nil},
		"a write of the assertions' program": {func(_ *testing.T, p *page, x *transaction) {
			x.calls = append(x.calls, lighthouseCall(0, solana.Meta(p.owner)))
		}, []error{wallet.ErrChanged}, "an instruction: it was none", nil},
		"an account that may be written": {func(_ *testing.T, p *page, x *transaction) {
			x.calls = append(x.calls, lighthouseCall(5, solana.Meta(thief).WRITE()))
		}, []error{wallet.ErrChanged}, "be written: it was false", nil},
		"another fee payer": {func(_ *testing.T, p *page, x *transaction) {
			x.payer = solana.PublicKey(other.PublicKey())
		}, []error{wallet.ErrChanged}, "fee payer", other},
		"another signer": {func(_ *testing.T, p *page, x *transaction) {
			x.calls = append(x.calls, lighthouseCall(5, solana.Meta(solana.PublicKey(other.PublicKey())).SIGNER()))
		}, []error{wallet.ErrChanged}, "signers", other},
		"another owner": {func(_ *testing.T, p *page, x *transaction) {
			x.payer = solana.PublicKey(other.PublicKey())
			x.calls = []solana.Instruction{system.NewTransferInstruction(1, x.payer, p.shop).Build()}
		}, []error{wallet.ErrSignedByAnother}, "none of its signature", other},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPage(t, nil)
			x := p.transferOf(signing.Legacy, 1)
			signed := p.signs(t, p.prepare(t, x))
			c.change(t, p, &x)
			keys := []*signing.LocalKey{p.key}
			if c.by != nil {
				keys = append(keys, c.by)
			}
			if c.want[0] == wallet.ErrSignedByAnother {
				keys = keys[1:]
			}
			_, err := p.submit(t, sign(t, x.bytes(t), keys...))
			for _, want := range append(c.want, walletfi.ErrOutcomeUnknown) {
				require.ErrorIs(t, err, want)
			}
			require.NotErrorIs(t, err, walletfi.ErrNotSent)
			require.ErrorContains(t, err, c.says)
			require.Zero(t, p.submissions())

			result, err := p.submit(t, signed...)
			require.NoError(t, err)
			require.True(t, result.Confirmed())
		})
	}
}

// TestSubmitWhatNobodySigned: no signature, a wrong one, that of another, and too few transactions.
func TestSubmitWhatNobodySigned(t *testing.T) {
	p := newPage(t, nil)
	x := p.transferOf(signing.Legacy, 1)
	p.prepare(t, x)
	unsigned := x.bytes(t)
	wrong := bytes.Clone(unsigned)
	wrong[1] = 1
	for name, c := range map[string]struct {
		signed [][]byte
		want   error
	}{
		"unsigned": {[][]byte{unsigned}, wallet.ErrSignedByAnother}, "wrong": {[][]byte{wrong}, wallet.ErrSignedByAnother},
		"none": {nil, wallet.ErrChanged}, "two": {[][]byte{unsigned, unsigned}, wallet.ErrChanged},
		"cut": {[][]byte{unsigned[:70]}, wallet.ErrChanged},
	} {
		_, err := p.submit(t, c.signed...)
		require.ErrorIs(t, err, c.want, name)
		require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown, name)
	}
	require.Zero(t, p.submissions())
	for key, want := range map[string]error{"": walletfi.ErrInvalidRequest, "none": walletfi.ErrNotFound} {
		_, err := p.wallet.Submit(t.Context(), key, nil, wallet.SubmitOptions{})
		require.ErrorIs(t, err, want)
		require.ErrorIs(t, err, walletfi.ErrNotSent)
	}
	_, err := p.wallet.Execute(soon(t), p.asked(t, p.transferOf(signing.Legacy, 3)), wallet.ExecuteOptions{Key: "executed", Signer: p.key})
	require.NoError(t, err)
	_, err = p.wallet.Submit(t.Context(), "executed", nil, wallet.SubmitOptions{})
	require.ErrorIs(t, err, walletfi.ErrInvalidRequest)
}

// TestSubmitTooLate: it is not sent, and expired is only said with a proof.
func TestSubmitTooLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPage(t, nil)
		signed := p.signs(t, p.prepare(t, p.transferOf(signing.Legacy, 1)))
		time.Sleep(101 * slotTime) // the service's end; the ledger would take it for 50 blocks more
		result, err := p.submit(t, signed...)
		require.ErrorIs(t, err, wallet.ErrExpired)
		require.Equal(t, []wallet.State{wallet.StateExpired}, states(result))
		require.Greater(t, time.Since(p.begun), 150*slotTime)
		require.Zero(t, p.submissions())
		result, err = p.submit(t, signed...)
		require.ErrorIs(t, err, wallet.ErrReplayed)
		require.ErrorIs(t, err, wallet.ErrExpired)
		require.Equal(t, []wallet.State{wallet.StateExpired}, states(result))
	})
}

// TestDecline: a no is not sent, and proves nothing.
func TestDecline(t *testing.T) {
	for _, sends := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			p := newPage(t, nil)
			prepared := p.prepare(t, p.transferOf(signing.Legacy, 1))
			for range 2 {
				require.NoError(t, p.wallet.Decline(t.Context(), "order"))
			}
			o, err := p.wallet.Outcome(t.Context(), "order")
			require.NoError(t, err)
			require.Equal(t, wallet.StateUnknown, o.State)
			_, err = p.submit(t, p.signs(t, prepared)...)
			require.ErrorIs(t, err, wallet.ErrDeclined)
			require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown)
			_, err = p.wallet.Prepare(t.Context(), "order", p.asked(t, p.transferOf(signing.Legacy, 2)), wallet.PrepareOptions{})
			require.ErrorIs(t, err, wallet.ErrDeclined)
			require.Zero(t, p.submissions())
			if sends {
				p.lands(t, p.signs(t, prepared)[0])
				require.Equal(t, wallet.StateConfirmed, p.settled(t, "order").State)
				require.ErrorIs(t, p.wallet.Decline(t.Context(), "order"), wallet.ErrReplayed)
				return
			}
			require.Equal(t, wallet.StateExpired, p.settled(t, "order").State)
			require.NoError(t, p.wallet.Decline(t.Context(), "order"))
			u := p.asked(t, p.transferOf(signing.Legacy, 2))
			u.LastValidBlockHeight = p.tip().Height + 100
			_, err = p.wallet.Prepare(t.Context(), "order", u, wallet.PrepareOptions{})
			require.NoError(t, err)
		})
	}
}

// TestSponsorSignedBefore: a sponsor has signed what is prepared. Its signature has to hold for what
// comes back.
func TestSponsorSignedBefore(t *testing.T) {
	sponsor, err := signing.GenerateLocalKey()
	require.NoError(t, err)
	p := newPage(t, func(c *wallet.Config) {
		c.Guard = signing.NewGuard(signing.Policy{Sponsors: []signing.PublicKey{sponsor.PublicKey()}})
	})
	x := p.transferOf(signing.V0, 1)
	x.payer = solana.PublicKey(sponsor.PublicKey())
	u := p.asked(t, x)
	u.Intent.Sponsor = sponsor.PublicKey().String()
	tx, err := signing.DecodeBytes(sign(t, x.bytes(t), sponsor))
	require.NoError(t, err)
	u.Transactions[0] = tx.Base64()
	prepared, err := p.wallet.Prepare(t.Context(), "order", u, wallet.PrepareOptions{})
	require.NoError(t, err)

	_, err = p.submit(t, sign(t, x.bytes(t), p.key)) // the sponsor's signature is gone
	require.ErrorIs(t, err, wallet.ErrChanged)
	x.calls = append(budget(t, 20_000, 1), x.calls...)
	changed := sign(t, x.bytes(t), p.key)
	copy(changed[1:], tx.Bytes()[1:65])
	_, err = p.submit(t, changed)
	require.ErrorIs(t, err, wallet.ErrChanged)
	require.ErrorContains(t, err, "does not hold")
	result, err := p.submit(t, p.signs(t, prepared)...)
	require.NoError(t, err)
	require.True(t, result.Confirmed())
}

// TestSubmitInAnotherProcess: another process follows the key in the background. It need not be
// waited for, and what is submitted at once in two is sent by one.
func TestSubmitInAnotherProcess(t *testing.T) {
	for by, submitters := range map[string][]bool{"one": {true, false}, "other": {false, true}, "both": {true, true}} {
		t.Run(by, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newPage(t, nil)
				s := searched{p.chain, p}
				other, err := wallet.New(wallet.Config{
					Guard: signing.NewGuard(signing.Policy{}), Submitter: s, Confirmer: s, Heights: s, Journal: p.journal,
				})
				require.NoError(t, err)
				defer func() { require.NoError(t, other.Close()) }()
				signed := p.signs(t, p.prepare(t, p.transferOf(signing.Legacy, 1)))
				time.Sleep(15 * time.Second)
				require.NotEmpty(t, p.entry(t, "key:order").Holder, "one of them follows it")
				var errs []error
				var mu sync.Mutex
				var all sync.WaitGroup
				for i, w := range []*wallet.Wallet{p.wallet, other} {
					if !submitters[i] {
						continue
					}
					all.Go(func() {
						_, err := w.Submit(t.Context(), "order", signed, wallet.SubmitOptions{})
						mu.Lock()
						defer mu.Unlock()
						if err != nil {
							errs = append(errs, err)
						}
					})
				}
				all.Wait()
				if by == "both" {
					require.Len(t, errs, 1)
					early := errors.Is(errs[0], walletfi.ErrOutcomeUnknown)
					require.True(t, early || errors.Is(errs[0], wallet.ErrReplayed), "%v", errs[0])
				} else {
					require.Empty(t, errs)
				}
				require.Len(t, p.gone(), 1)
				require.Equal(t, wallet.StateConfirmed, p.settled(t, "order").State)
			})
		})
	}
}
