package webhooks

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// scalarText returns the text of a JSON string or number, nil for null.
func scalarText(b []byte, what string) (*string, error) {
	if string(b) == "null" {
		return nil, nil
	}
	text := string(b)
	if _, err := walletfi.NewDecimal(text); err == nil {
		return &text, nil
	}
	if json.Unmarshal(b, &text) != nil {
		return nil, fmt.Errorf("webhooks: %.40q is not %s", b, what)
	}
	return &text, nil
}

func init() {
	wire.Plain[Quantity]()
	wire.Plain[Number]()
}

// parseNumber reads an integer, decimal or hex with 0x, of at most 64 bits. 5.0
// and 1e3 are integers too.
func parseNumber(text string) (Number, error) {
	digits, base := text, 10
	if hex, ok := cutHex(text); ok {
		digits, base = hex, 16
	}
	if n, err := strconv.ParseUint(digits, base, 64); err == nil {
		return Number(n), nil
	}
	if d, err := walletfi.NewDecimal(digits); err == nil && base == 10 {
		if r := d.Rat(); r != nil && r.IsInt() && r.Num().IsUint64() {
			return Number(r.Num().Uint64()), nil
		}
	}
	return 0, fmt.Errorf("webhooks: %.40q is not an integer", text)
}

func cutHex(text string) (string, bool) {
	if hex, ok := strings.CutPrefix(text, "0x"); ok {
		return hex, true
	}
	return strings.CutPrefix(text, "0X")
}
