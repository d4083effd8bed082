package echo_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/internal/echo"
)

// TestNamed: a member of an undocumented answer is found by its name, at any depth.
func TestNamed(t *testing.T) {
	for answer, want := range map[string]string{
		`{"From_Mint":"M1","amount":7}`:                           "",
		`{"data":[{"fromMint":"M1"},{"fromMint":"M2"}]}`:          `data.frommint: asked for "M1", answered "M2"`,
		`{"steps":{"from-mint":"M2"}}`:                            `steps.frommint: asked for "M1", answered "M2"`,
		`{"amount":8}`:                                            `amount: asked for "7", answered "8"`,
		`{"amount":"8"}`:                                          `amount: asked for "7", answered "8"`,
		`{"fromMint":null,"amount":""}`:                           "",
		`{"fromMint":{"name":"M2"},"amount":[],"fromMints":"M2"}`: "",
		`{"fromMint":"M2"`:                                        "",
		``:                                                        "",
	} {
		err := echo.Named([]byte(answer), map[string]func(path, said string) error{
			"frommint": echo.To(echo.Mint, "M1"), "amount": echo.To(echo.Text[string], "7"),
		})
		if want == "" {
			require.NoError(t, err, answer)
			continue
		}
		require.EqualError(t, err, want, answer)
	}
}
