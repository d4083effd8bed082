package txwire

// FromBase64 decodes the standard base64 of a transaction into what room
// returns for its size.
func FromBase64(text string, room func(size int) []byte) *Faults {
	if len(text) > MaxBase64Text {
		return badText("%d base64 characters", len(text))
	}
	if text == "" {
		return badText("nothing")
	}
	if len(text)%4 != 0 {
		return badText("%d base64 characters, which is no multiple of four", len(text))
	}
	size := len(text) / 4 * 3
	for i := len(text) - 1; i >= len(text)-2 && text[i] == '='; i-- {
		size--
	}
	if size > MaxSizeV1 { // two bytes more fit the same text without padding
		return badText("%d bytes", size)
	}
	if !decodeBase64(room(size), text) {
		return badText("text that is not strict base64")
	}
	return nil
}

// FromBase58 decodes the base58 of a transaction into what room returns for
// its size.
func FromBase58(text string, room func(size int) []byte) *Faults {
	if len(text) > MaxBase58Text {
		return badText("%d base58 characters", len(text))
	}
	zeros := 0
	for zeros < len(text) && text[zeros] == '1' {
		zeros++
	}
	var number base58Limbs
	if !number.parse(text[zeros:]) {
		return badText("text that is not base58")
	}
	size := zeros + number.size()
	if size == 0 || size > MaxSizeV1 {
		return badText("the base58 of %d bytes", size)
	}
	b := room(size)
	clear(b[:zeros])
	number.fill(b[zeros:])
	return nil
}
