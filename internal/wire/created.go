package wire

// Created reads what a call made, such as a resource or a token: it is there, whatever
// else the answer says. It reads the fields of v as [DecodeCreated] does, and each [Breach]
// comes with what it read, as in a list of records.
func Created[T any](s *Scanner, v *T) error {
	from, broken := s.at, len(s.broken)
	s.takesAll, s.notes = true, true
	err := Fields(s, v)
	s.takesAll, s.notes = false, false
	if err == nil {
		s.beside(broken, "", 0, from, s.at)
	}
	return err
}
