package paid

import (
	"testing"
	"time"
)

// TestLastSignedUnderAnotherName: a step that bears nothing is not of what another payment, by the same bytes, had signed.
func TestLastSignedUnderAnotherName(t *testing.T) {
	now := time.Now()
	k := &key{name: "key 0", machine: &machine{sponsored: true}}
	for i, under := range [][]string{{"key 0"}, {"key 0 again"}} {
		x := &tx{raw: []byte{1}, under: under, signed: now.Add(time.Duration(i) * time.Second)}
		k.builds = append(k.builds, &build{txs: []*tx{x}})
	}
	mine, other := k.builds[0].txs[0], k.builds[1].txs[0]
	if got := k.lastSigned(now.Add(time.Minute), 0, ""); got != mine {
		t.Errorf("another payment's: %v", got)
	}
	other.under = append(other.under, "key 0")
	if got := k.lastSigned(now.Add(time.Minute), 0, ""); got != other {
		t.Errorf("it was signed for both: %v", got)
	}
}
