"""The parts of the conversation column: turns, their two looks, their actions, finding in them."""
