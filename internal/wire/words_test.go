package wire_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/internal/wire"
)

type direction string

func init() { wire.Words(direction("up"), direction("allTheWay")) }

// TestWords: a documented word is the constant whatever its case, wherever it comes; all other
// texts are kept.
func TestWords(t *testing.T) {
	for said, want := range map[string]direction{
		`"up"`: "up", `"UP"`: "up", `"Up"`: "up", `"\u0055p"`: "up", `"alltheway"`: "allTheWay",
		`" up"`: " up", `"upper"`: "upper", `""`: "", `null`: "", `7`: "7",
	} {
		var v struct {
			One direction   `json:"one"`
			All []direction `json:"all"`
			Of  *direction  `json:"of"`
		}
		require.NoError(t, wire.Unmarshal([]byte(`{"one":`+said+`,"all":["UP",`+said+`],"of":`+said+`}`), &v), said)
		require.Equal(t, want, v.One, said)
		require.Equal(t, []direction{"up", want}, v.All, said)
		if said != "null" {
			require.Equal(t, want, *v.Of, said)
		}
	}
	var v struct {
		One direction `json:"one" wire:"strict,said"`
	}
	for _, said := range []string{`{}`, `{"one":null}`, `{"one":7}`, `{"one":{}}`, `{"one":"up","one":"UP"}`} {
		require.Error(t, wire.Unmarshal([]byte(said), &v), said)
	}
}
