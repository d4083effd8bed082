package wallet

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTwoMessagesOfOneTransaction: the key has paid if one of them has executed, and nothing is told of
// it as long as one may.
func TestTwoMessagesOfOneTransaction(t *testing.T) {
	for _, c := range []struct {
		prepared, changed, want KeyState
		open                    []int
	}{
		{KeyInDoubt, KeyInDoubt, KeyInDoubt, []int{0, 1}},
		{KeyInDoubt, KeyConfirmed, KeyConfirmed, nil},
		{KeyConfirmed, KeyInDoubt, KeyConfirmed, nil},
		{KeyConfirmed, KeyExpired, KeyConfirmed, nil},
		{KeyExpired, KeyConfirmed, KeyConfirmed, nil},
		{KeyInDoubt, KeyExpired, KeyInDoubt, []int{0}},
		{KeyInDoubt, KeyFailed, KeyInDoubt, []int{0}},
		{KeyExpired, KeyInDoubt, KeyInDoubt, []int{1}},
		{KeyFailed, KeyInDoubt, KeyInDoubt, []int{1}},
		{KeyExpired, KeyFailed, KeyFailed, nil},
		{KeyFailed, KeyExpired, KeyFailed, nil},
		{KeyExpired, KeyExpired, KeyExpired, nil},
	} {
		e := Entry{Steps: []EntryStep{{State: c.prepared}, {State: c.changed, InPlaceOf: 1}}}
		require.Equal(t, c.want, e.front(), "%+v", c)
		require.Equal(t, c.open, e.open(), "%+v", c)
		require.Len(t, resultSteps(e), 1)
		require.Equal(t, c.want.step(), resultSteps(e)[0].State)
		require.Len(t, outcomeOf(e, false).Steps, 1)
	}
	e := Entry{Steps: []EntryStep{
		{State: KeyConfirmed}, {State: KeyInDoubt}, {State: KeyInDoubt, InPlaceOf: 1}, {State: KeyExpired, InPlaceOf: 2},
	}}
	require.Equal(t, KeyInDoubt, e.front())
	require.Equal(t, []int{1}, e.open())
	odd := Entry{Steps: []EntryStep{{State: KeyConfirmed}, {State: KeyInDoubt, InPlaceOf: 9}}}
	require.Equal(t, KeyInDoubt, odd.front(), "whatever a journal holds")
	require.Equal(t, []int{1}, odd.open())
}
