package onchaindata

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSameAddress: only plain hexadecimal is the same in another case.
func TestSameAddress(t *testing.T) {
	require.Equal(t, sameAddress("0xAbCd12"), sameAddress("0XabcD12"))
	for _, other := range [][2]string{
		{"0x2::coin::COIN", "0x2::coin::coin"}, {"So1Abc", "so1abc"}, {"0xAg", "0xag"}, {"0x", "0X"}, {"ABCDEF", "abcdef"},
	} {
		require.NotEqual(t, sameAddress(other[0]), sameAddress(other[1]))
	}
}
