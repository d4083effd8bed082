package signing

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// TestStatesOnly: without inner instructions, what our balances do not show is unknown.
func TestStatesOnly(t *testing.T) {
	delegate := PublicKey{7, 7}
	mint := func(authority PublicKey) AccountState {
		d := make([]byte, 82)
		binary.LittleEndian.PutUint32(d, 1)
		copy(d[4:], authority[:])
		return AccountState{Lamports: 1, Owner: TokenProgram, Data: d}
	}
	nonce := func(authority PublicKey, lamports uint64) AccountState {
		return AccountState{Lamports: walletfi.Amount(lamports), Owner: SystemProgram, Data: append(make([]byte, 8), append(authority[:], make([]byte, 40)...)...)}
	}
	position := func(of PublicKey) AccountState { return AccountState{Lamports: 1, Owner: rogue, Data: of[:]} }
	poorer := func(s AccountState) AccountState { s.Lamports++; return s }
	cases := []struct {
		name          string
		at            PublicKey
		before, after AccountState
		shown         bool
	}{
		{"nothing changes", vault, AccountState{Owner: StakeProgram}, AccountState{Owner: StakeProgram}, true},
		{"a vault", vault, holding(TokenProgram, usdc, stranger, 1), holding(TokenProgram, usdc, stranger, 9), true},
		{"our own account", ourUSDC, holding(TokenProgram, usdc, owner, 9), holding(TokenProgram, usdc, owner, 8), true},
		{"a position of ours with a program", vault, position(owner), poorer(position(owner)), true},
		{"a wallet of another's", vault, AccountState{Lamports: 5}, AccountState{Lamports: 9}, true},
		{"a stake", vault, AccountState{Owner: StakeProgram, Data: []byte{1}}, AccountState{Owner: StakeProgram, Data: []byte{2}}, false},
		{"what becomes a stake", vault, AccountState{Lamports: 1}, AccountState{Lamports: 1, Owner: StakeProgram}, false},
		{"a nonce of ours", vault, nonce(owner, 9), nonce(owner, 8), false},
		{"a nonce of a key of ours", vault, nonce(delegate, 9), nonce(delegate, 8), false},
		{"a nonce of another's", vault, nonce(stranger, 9), nonce(stranger, 8), true},
		{"a mint of ours", vault, mint(owner), poorer(mint(owner)), false},
		{"a mint of another's", vault, mint(stranger), poorer(mint(stranger)), true},
		{"what we are a delegate of", vault, holding(TokenProgram, usdc, stranger, 9, withDelegate(owner, 9)), holding(TokenProgram, usdc, stranger, 1, withDelegate(owner, 1)), false},
		{"what a key of ours owns", vault, holding(TokenProgram, usdc, delegate, 9), holding(TokenProgram, usdc, delegate, 1), false},
		{"what we may close", vault, holding(TokenProgram, usdc, stranger, 9, withCloseAuthority(owner)), holding(TokenProgram, usdc, stranger, 1, withCloseAuthority(owner)), false},
		{"the wallet of a key of ours", delegate, AccountState{Lamports: 9}, AccountState{Lamports: 8}, false},
	}
	for _, c := range cases {
		for _, told := range []bool{false, true} {
			s := ordinary(txbuild.Call(exchange, nil, txbuild.WritableSigner(owner), txbuild.Writable(ourUSDC), txbuild.Writable(c.at))).with(unprotected)
			s.policy.AllowBlind, s.policy.Keys = nil, []PublicKey{delegate}
			s.policy.Simulator = answering(func(r SimulationRequest) (*Simulation, error) {
				out, err := quiet(r)
				for i, k := range r.Accounts {
					if k == c.at {
						out.Before[i], out.After[i] = c.before, c.after
					}
				}
				out.StatesOnly = !told
				return out, err
			})
			_, report, err := s.sign(t, NewGuard(s.policy), txbuild.V0)
			if told || c.shown {
				require.NoError(t, err, c.name)
				require.True(t, report.Simulated, c.name)
				continue
			}
			refusal := wiretest.As[*GuardError](t, err)
			require.Equal(t, RuleBlind, refusal.Rule, c.name)
			require.Contains(t, refusal.Error(), "tells no inner instructions, and "+c.at.String()+" of program", c.name)
		}
	}
}
