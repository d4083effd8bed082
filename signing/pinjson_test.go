package signing

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// TestPinJSON: a pin whose text is not what is meant must not read as a wider one.
func TestPinJSON(t *testing.T) {
	p := exchange.String()
	for name, text := range map[string]string{
		"a member that is misspelt":       `{"program":"` + p + `","instruction":["0908070605040302"],"mayWrite":["any"]}`,
		"another word":                    `{"program":"` + p + `","discriminators":["0908070605040302"],"mayWrite":["any"]}`,
		"repeated, the second empty":      `{"program":"` + p + `","instructions":["0908070605040302"],"instructions":[],"mayWrite":["any"]}`,
		"repeated, the second null":       `{"program":"` + p + `","instructions":["0908070605040302"],"instructions":null,"mayWrite":["any"]}`,
		"repeated in capitals":            `{"program":"` + p + `","instructions":["0908070605040302"],"INSTRUCTIONS":[],"mayWrite":["any"]}`,
		"roles repeated in capitals":      `{"program":"` + p + `","instructions":["0101010101010101"],"mayWrite":[],"MayWrite":["any"]}`,
		"an upper-case role":              `{"program":"` + p + `","instructions":["0101010101010101"],"mayWrite":["ANY"]}`,
		"a null discriminator":            `{"program":"` + p + `","instructions":[null],"mayWrite":["any"]}`,
		"an empty discriminator":          `{"program":"` + p + `","instructions":[""],"mayWrite":["any"]}`,
		"odd hexadecimal":                 `{"program":"` + p + `","instructions":["090"],"mayWrite":["any"]}`,
		"0x":                              `{"program":"` + p + `","instructions":["0x01"],"mayWrite":["any"]}`,
		"white space":                     `{"program":"` + p + `","instructions":[" 01"],"mayWrite":["any"]}`,
		"numbers":                         `{"program":"` + p + `","instructions":[[1,1]],"mayWrite":["any"]}`,
		"base64":                          `{"program":"` + p + `","instructions":["AQEBAQEBAQE="],"mayWrite":["any"]}`,
		"no program":                      `{"instructions":["0101010101010101"],"mayWrite":["any"]}`,
		"an empty program":                `{"program":"","instructions":["0101010101010101"],"mayWrite":["any"]}`,
		"roles as one text":               `{"program":"` + p + `","instructions":["0101010101010101"],"mayWrite":"any"}`,
		"no roles":                        `{"program":"` + p + `","instructions":["0101010101010101"]}`,
		"null roles":                      `{"program":"` + p + `","instructions":["0101010101010101"],"mayWrite":null}`,
		"a null role":                     `{"program":"` + p + `","instructions":["0101010101010101"],"mayWrite":[null]}`,
		"null":                            `null`,
		"an unknown member beside":        `{"program":"` + p + `","instructions":["0908070605040302"],"except":["0101"],"mayWrite":["any"]}`,
		"instructions as a text":          `{"program":"` + p + `","instructions":"0908070605040302","mayWrite":["any"]}`,
		"instructions as an empty text":   `{"program":"` + p + `","instructions":"","mayWrite":["any"]}`,
		"instructions as an empty object": `{"program":"` + p + `","instructions":{},"mayWrite":["any"]}`,
	} {
		t.Run(name, func(t *testing.T) {
			var p Pin
			if err := json.Unmarshal([]byte(text), &p); err != nil {
				return
			}
			s := ordinary(txbuild.Call(exchange, withdrawD, txbuild.Writable(ourUSDC))).with(pinned(p))
			s.policy.Pins = nil
			_, _, err := s.sign(t, NewGuard(s.policy), txbuild.V0)
			require.Error(t, err, "signed: %s reads as %v", text, p)
		})
	}
}
