package signing

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// TestPositionsAreNamed: an account that a program keeps for the owner is named with its program,
// whether the caller lists it or its data has the owner's key.
func TestPositionsAreNamed(t *testing.T) {
	position := addressOf("position")
	keeps := func(of ...PublicKey) AccountState {
		data := make([]byte, 8)
		for _, k := range of {
			data = append(data, k[:]...)
		}
		return AccountState{Lamports: 9, Owner: rogue, Data: data}
	}
	says := "account " + shortOf(position) + " of program " + shortOf(rogue) + ", which has your address in it (what is in it was not looked up)"
	for name, row := range map[string]struct {
		before, after AccountState
		named         bool
	}{
		"the owner's":               {keeps(stranger, owner), keeps(stranger, owner), true},
		"that becomes the owner's":  {AccountState{}, keeps(owner), true},
		"that was the owner's":      {keeps(owner), AccountState{}, true},
		"of another":                {keeps(stranger), keeps(stranger), false},
		"of nobody":                 {AccountState{}, AccountState{}, false},
		"a token account of others": {holding(TokenProgram, usdc, stranger, 9), holding(TokenProgram, usdc, stranger, 9), false},
	} {
		s := asking("lending", usdc.String(), 25_000_000, "", 0,
			txbuild.Call(exchange, nil, txbuild.WritableSigner(owner), txbuild.Writable(position), txbuild.Writable(vault)))
		s.policy.Simulator = &stage{before: accts{position: row.before}, after: accts{position: row.after}}
		report := s.report(t, txbuild.V0)
		require.Len(t, report.Reaches, 1, name)
		if row.named {
			assert.Equal(t, []PublicKey{position}, report.Reaches[0].Positions, name)
		} else {
			assert.Empty(t, report.Reaches[0].Positions, name)
		}
		text := report.Text()
		if row.named && row.before.Lamports > 0 {
			assert.Contains(t, text, says, name)
			assert.Contains(t, report.String(), position.String()+", which a program owns and which has the owner's key", name)
		} else {
			assert.NotContains(t, text, "has your address in it", name)
		}
		assert.NotContains(t, report.text(true), "has your address in it", name)

		blind := asking("lending", usdc.String(), 25_000_000, "", 0, s.instructions...)
		blind.policy.AllowBlind = []string{"lending"}
		blind.policy.Resolver = &reader{accounts: accts{position: row.before}}
		report = blind.report(t, txbuild.V0)
		assert.Equal(t, row.named && row.before.Lamports > 0, len(report.Reaches[0].Positions) == 1, name)
	}
}
